import type { ClientBase } from 'pg';

type Options = {
  isolation?: 'repeatable read' | 'read committed';
  /** false: the commit is not awaited on disk or by a standby. A server that crashes within a second may undo the whole transaction. */
  waitsForDisk?: boolean;
};

/**
 * Runs work in a transaction. By default it sees one snapshot: rows that arrive meanwhile are neither read nor deleted.
 */
export async function inTransaction<T>(
  client: ClientBase,
  work: () => Promise<T>,
  { isolation = 'repeatable read', waitsForDisk = true }: Options = {},
): Promise<T> {
  await client.query(`begin isolation level ${isolation}${waitsForDisk ? '' : '; set local synchronous_commit = off'}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
