import type { ClientBase, Pool } from 'pg';
import type { Logger } from '#lib/log.ts';
import { createPool } from '../../pool.ts';
import { createQueries, createStore } from '../queries.ts';
import type { Sealer } from '../sealing-run.ts';
import type { Retention, Sample, TelemetryStore } from '../telemetry-store.ts';
import { Thread } from '../threads.ts';
import type { SealerOptions } from './sealer.ts';
import { readTables } from './tables.ts';

export type PostgresTelemetryOptions = { url: string; retention: Retention; log: Logger };

/** Opens telemetry in the database of the registry. A thread seals, so that the event loop does not wait for it. */
export async function openPostgresTelemetry({
  url,
  retention,
  log,
}: PostgresTelemetryOptions): Promise<TelemetryStore> {
  const openPool = (size: number): Pool =>
    createPool(url, size, (error) => log.warn({ err: error }, 'telemetry database connection lost'));
  const pool = openPool(6);
  const appending = openPool(2); // a pool of its own: incoming readings do not wait for long queries
  try {
    const client = await pool.connect();
    await createTelemetryTables(client).finally(() => client.release());
  } catch (error) {
    await Promise.all([pool.end(), appending.end()]);
    throw error;
  }
  const tables = readTables(pool);
  const sealer = new Thread<Sealer>({
    script: new URL('./sealer.ts', import.meta.url),
    given: () => ({ workerData: { url, retention } satisfies SealerOptions }),
    onLost: (error) => log.error({ err: error, thread: 'sealer' }, 'telemetry thread ended unexpectedly'),
  });
  return createStore({
    append: (samples) => append(appending, samples),
    queries: createQueries(tables),
    sealer: sealer.methods,
    forgottenBefore: await tables.state('forgotten_before'),
    close: async () => {
      await sealer.close();
      await Promise.all([pool.end(), appending.end()]);
    },
  });
}

// Sorted, so that two processes with the same samples wait for each other instead of deadlocking.
const insert = `
  insert into telemetry_samples (der, at, received, body)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as sample (der, at, received, body)
  where at >= coalesce((select value from telemetry_state where name = 'forgotten_before'), 0)
  order by der, at, received
  on conflict do nothing`;

const present = `
  select sample.received
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as sample (der, at, received)
  join telemetry_samples as known on known.der = sample.der and known.at = sample.at
  where known.received <> sample.received`;

async function append(pool: Pool, samples: readonly Sample[]): Promise<readonly number[]> {
  const values = [
    samples.map(({ der }) => der),
    samples.map(({ at }) => at),
    samples.map(({ received }) => received),
    samples.map(({ body }) => body),
  ];
  const { rowCount } = await pool.query({ name: 'telemetry-append', text: insert, values });
  if (rowCount === samples.length) return [];
  const { rows } = await pool.query<{ received: string }>(present, values.slice(0, 3));
  return rows.map(({ received }) => Number(received));
}

// An arbitrary number, the same in every process, and different from that of the registry.
const schemaLock = 7_260_212;

// The tables share a database with the registry. Bodies of chunks are compressed already and stored outside their rows.
// Rows live for an hour or two, so vacuum runs often to make room for the next ones.
const statements = `
  create table if not exists telemetry_samples (
    der bigint not null,
    at bigint not null,
    received bigint not null,
    body text not null,
    primary key (der, at)
  ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  create index if not exists telemetry_late_samples on telemetry_samples (der, received)
    where at < received / 1000 - 3600000;
  create table if not exists telemetry_chunks (
    tier integer not null,
    der bigint not null,
    start bigint not null,
    body bytea not null,
    primary key (tier, der, start)
  );
  alter table telemetry_chunks alter body set storage external;
  create table if not exists telemetry_newest_sealed (der bigint primary key, at bigint not null, body text not null);
  create table if not exists telemetry_state (name text primary key, value bigint not null);
`;

/** Creates missing tables. Safe to call from several processes at once. */
async function createTelemetryTables(client: ClientBase): Promise<void> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [schemaLock]);
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('telemetry_state') is not null as exists`,
    );
    if (!rows[0]?.exists) await client.query(statements);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
