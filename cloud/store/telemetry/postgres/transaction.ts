import type { ClientBase } from 'pg';

/**
 * Runs work in a transaction. By default it sees one snapshot: rows that arrive meanwhile are neither read nor deleted.
 */
export async function inTransaction<T>(
  client: ClientBase,
  work: () => Promise<T>,
  isolation: 'repeatable read' | 'read committed' = 'repeatable read',
): Promise<T> {
  await client.query(`begin isolation level ${isolation}`);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
