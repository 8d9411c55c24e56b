import { parentPort, workerData } from 'node:worker_threads';
import type { Pool, PoolClient } from 'pg';
import { hourMs } from '#contract/time.ts';
import { createPool } from '../../pool.ts';
import { nothingSealed } from '../sealing.ts';
import { createSealDue, eraseDer, forgetOld, type Sealer, type Sealing, type Transact } from '../sealing-run.ts';
import type { DerTime } from '../tables.ts';
import type { Retention } from '../telemetry-store.ts';
import { serveCalls } from '../threads.ts';
import { readTables, writeTables } from './tables.ts';

export type SealerOptions = { url: string; retention: Retention };

const { url, retention }: SealerOptions = workerData;
const pool = createPool(url, 1, () => {}); // the next call makes a new connection
const sealDue = createSealDue();

serveCalls<unknown>(parentPort, {
  seal: async (now) => (await withSealingLock(pool, (sealing) => sealDue(sealing, now))) ?? nothingSealed,
  forget: async (now) =>
    (await withSealingLock(pool, ({ transact }) => forgetOld(transact, now, retention))) ??
    readTables(pool).state('forgotten_before'),
  erase: async (ders) =>
    (await withSealingLock(pool, async ({ transact }) => {
      for (const der of ders) await eraseDer(transact, der);
      return true;
    })) ?? false,
  close: () => pool.end(),
} satisfies Sealer);

// An arbitrary number, the same in every process. The connection holds the lock, so it ends with its process.
const sealingLock = 7_260_213;

/** Runs work under a lock; returns undefined when another process holds it. */
async function withSealingLock<T>(pool: Pool, work: (sealing: Sealing) => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      sealingLock,
    ]);
    if (!rows[0]?.locked) return undefined;
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
    // Rows that arrive between reading and deleting are not seen, and stay.
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

/** Walks the index from hour to hour, skipping the rows in between. */
async function hotHours(client: PoolClient, before: number): Promise<DerTime[]> {
  const { rows } = await client.query<DerTime>(
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
