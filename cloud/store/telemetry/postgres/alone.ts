import type { Pool, PoolClient } from 'pg';
import { hourMs } from '#contract/time.ts';
import type { Sealing, Transact } from '../sealing-run.ts';
import type { TablePlace } from '../tables.ts';
import { writeTables } from './tables.ts';

// Any number, the same in every process. Held by the connection, so it goes with its process.
const sealingLock = 7_260_213;

/** Works while no other process does; undefined when one does. */
export async function alone<T>(pool: Pool, work: (sealing: Sealing) => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [sealingLock]);
    if (!(rows[0] as { locked: boolean }).locked) return undefined;
    try {
      return await work({ transact: transactOn(client), hotHours: (before) => hotHours(client, before) });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [sealingLock]);
    }
  } finally {
    client.release();
  }
}

function transactOn(client: PoolClient): Transact {
  const tables = writeTables(client);
  return async (work) => {
    // Repeatable: rows that arrive between reading and dropping are not seen, and stay.
    await client.query('begin isolation level repeatable read');
    try {
      const result = await work(tables);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  };
}

/** Goes from hour to hour through the index, without the rows between. */
async function hotHours(client: PoolClient, before: number): Promise<TablePlace[]> {
  const { rows } = await client.query<TablePlace>(
    `with recursive walk as (
       (select der, at / $2 * $2 as at from telemetry_samples order by der, at limit 1)
       union all
       select next.der, next.at from walk cross join lateral
         (select der, at / $2 * $2 as at from telemetry_samples
          where (telemetry_samples.der, telemetry_samples.at) >= (walk.der, walk.at + $2)
          order by telemetry_samples.der, telemetry_samples.at limit 1) next
     )
     select der, at from walk where at < $1`,
    [before, hourMs],
  );
  return rows;
}
