import type { ClientBase } from 'pg';
import type { Logger } from '#lib/log.ts';
import type { Sample } from '../telemetry-store.ts';
import { hotRowsOf, packedBytes, writePacked } from './packed.ts';
import { mainServer } from './partitions.ts';
import { insertHot, tableNames } from './tables.ts';
import { inTransaction } from './transaction.ts';

// An arbitrary number, the same in every process, and different from that of the registry.
const schemaLock = 7_260_212;

// Recent rows live for a minute, and sorted ones for hours: vacuum runs often, to make room for the next ones.
const vacuumOften = 'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0';

// LZ4 makes rows a third of their size, which saves more time than it takes. Without it PostgreSQL compresses by itself.
const compressed = (table: string): string => `
  do $$ begin
    alter table ${table} alter body set compression lz4;
  exception when feature_not_supported then null;
  end $$;`;

const common = `
  create table if not exists telemetry_recent (
    part smallint not null,
    received bigint not null,
    ders bigint[] not null,
    body bytea not null
  ) with (${vacuumOften});
  ${compressed('telemetry_recent')}
  create index if not exists telemetry_recent_by_partition on telemetry_recent (part);
  create table if not exists telemetry_fence (version bigint not null);
  insert into telemetry_fence (version) select 0 where not exists (select from telemetry_fence);
  create table if not exists telemetry_newest_sealed (der bigint primary key, at bigint not null, body text not null);
  create table if not exists telemetry_state (name text primary key, value bigint not null);`;

// Bodies of chunks are compressed already.
function partitionTables(part: number): string {
  const { hot, chunks } = tableNames(part);
  return `
    create table if not exists ${hot} (
      der bigint not null,
      at bigint not null,
      last_at bigint not null,
      received bigint not null,
      body bytea not null
    ) with (${vacuumOften});
    ${compressed(hot)}
    create index if not exists ${hot}_by_time on ${hot} (der, at);
    create table if not exists ${chunks} (
      tier integer not null,
      der bigint not null,
      start bigint not null,
      body bytea not null,
      primary key (tier, der, start)
    );
    alter table ${chunks} alter body set storage external;`;
}

const partitionList = `
  create table telemetry_partitions (
    part smallint primary key,
    server text not null,
    moving_to text,
    is_fenced boolean not null default false,
    leftovers_on text,
    epoch integer not null default 0
  );`;

/** Runs work in one transaction that no other process can run at the same time. */
const exclusively = <T>(client: ClientBase, work: () => Promise<T>): Promise<T> =>
  inTransaction(
    client,
    async () => {
      await client.query('select pg_advisory_xact_lock($1)', [schemaLock]);
      return work();
    },
    { isolation: 'read committed' }, // sees what the process before it has created
  );

const hasTable = async (client: ClientBase, name: string): Promise<boolean> =>
  (await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name])).rows[0]?.exists ??
  false;

/**
 * Creates missing tables on the main server, and packs the rows of version 0.1.0. The number of partitions counts for a new
 * database only. Safe to call from several processes at once.
 */
export const prepareMainServer = (client: ClientBase, partitions: number, log: Logger): Promise<void> =>
  exclusively(client, async () => {
    if (await hasTable(client, 'telemetry_partitions')) return;
    const parts = Array.from({ length: partitions }, (_, part) => part);
    const isOld = await hasTable(client, 'telemetry_samples');
    if (isOld) await client.query('alter table telemetry_chunks rename to telemetry_chunks_unpartitioned');
    await client.query(common + partitionList + parts.map(partitionTables).join(''));
    const values = [parts, mainServer];
    await client.query('insert into telemetry_partitions (part, server) select unnest($1::int[]), $2', values);
    if (isOld) await packOldTables(client, parts, log);
  });

/** Creates the tables that every server has, and empty ones for a partition that moves to it. */
export const createPartition = (client: ClientBase, part: number, partitions: number): Promise<void> =>
  exclusively(client, async () => {
    await client.query(common);
    await dropTables(client, part, partitions);
    await client.query(partitionTables(part));
  });

/** Deletes what a server has of a partition that is elsewhere. */
export const dropPartition = (client: ClientBase, part: number, partitions: number): Promise<void> =>
  exclusively(client, async () => {
    if (await hasTable(client, 'telemetry_state')) await dropTables(client, part, partitions);
  });

async function dropTables(client: ClientBase, part: number, partitions: number): Promise<void> {
  const { hot, leaving, chunks } = tableNames(part);
  await client.query(`drop table if exists ${hot}, ${leaving}, ${chunks}`);
  await client.query('delete from telemetry_recent where part = $1', [part]);
  await client.query('delete from telemetry_newest_sealed where mod(der, $1) = $2', [partitions, part]);
  await client.query(`delete from telemetry_state where name like '% ' || $1`, [String(part)]);
}

/** Packs the tables of version 0.1.0: a row for each reading, and all chunks in one table. */
async function packOldTables(client: ClientBase, parts: readonly number[], log: Logger): Promise<void> {
  log.info('partitioning the telemetry of an earlier version');
  const began = performance.now();
  await moveChunks(client, parts, log);
  const readings = await packSamples(client, parts.length, log);
  await client.query(`insert into telemetry_state (name, value)
    select name || ' ' || part, value from telemetry_state cross join telemetry_partitions where name = 'replayable_after'`);
  await client.query(`delete from telemetry_state where name = 'replayable_after';
    drop table telemetry_samples, telemetry_chunks_unpartitioned`);
  log.info({ readings, seconds: Math.round((performance.now() - began) / 1000) }, 'telemetry partitioned');
}

const progressMs = 10_000;

/** Logs progress from time to time. */
function createProgressLog(log: Logger, message: string): (fields: object) => void {
  let loggedAt = performance.now();
  return (fields) => {
    if (performance.now() - loggedAt < progressMs) return;
    loggedAt = performance.now();
    log.info(fields, message);
  };
}

const pagesAtOnce = 4096; // 32 MB of rows, whose bodies are stored elsewhere

/** Copies all chunks in one pass: PostgreSQL routes each to its partition. */
async function moveChunks(client: ClientBase, parts: readonly number[], log: Logger): Promise<void> {
  const each = (statement: (table: string, part: number) => string): string =>
    parts.map((part) => statement(tableNames(part).chunks, part)).join(';');
  await client.query(`create table telemetry_chunks_routing (like telemetry_chunks_unpartitioned)
    partition by list (mod(der, ${parts.length}))`);
  await client.query(
    each((table, part) => `alter table telemetry_chunks_routing attach partition ${table} for values in (${part})`),
  );
  const { rows } = await client.query<{ pages: number }>(
    `select pg_relation_size('telemetry_chunks_unpartitioned') / current_setting('block_size')::int as pages`,
  );
  const pages = rows[0]?.pages ?? 0;
  const progress = createProgressLog(log, 'chunks of telemetry are being partitioned');
  for (let page = 0; page < pages; page += pagesAtOnce) {
    await client.query(
      `insert into telemetry_chunks_routing select * from telemetry_chunks_unpartitioned
       where ctid >= $1::tid and ctid < $2::tid`,
      [`(${page},0)`, `(${page + pagesAtOnce},0)`],
    );
    progress({ done: Math.min(page + pagesAtOnce, pages), pages });
  }
  await client.query(each((table) => `alter table telemetry_chunks_routing detach partition ${table}`));
  await client.query('drop table telemetry_chunks_routing');
}

const samplesAtOnce = 10_000;

/** Packs the rows of version 0.1.0, one for each reading. */
async function packSamples(client: ClientBase, partitions: number, log: Logger): Promise<number> {
  const all = 'select der, at, received, body from telemetry_samples order by der, at';
  await client.query(`declare old_samples no scroll cursor for ${all}`);
  const progress = createProgressLog(log, 'readings are being packed');
  for (let readings = 0; ; ) {
    const { rows } = await client.query<Sample>(`fetch ${samplesAtOnce} from old_samples`);
    if (rows.length === 0) {
      await client.query('close old_samples'); // otherwise its table could not be dropped
      return readings;
    }
    readings += rows.length;
    for (const [part, samples] of Map.groupBy(rows, ({ der }) => der % partitions))
      await insertHot(client, part, hotRowsOf([packed(samples)]));
    progress({ readings });
  }
}

function packed(samples: readonly Sample[]): Buffer {
  const bytes = Buffer.allocUnsafe(samples.reduce((sum, sample) => sum + packedBytes(sample), 0));
  let place = 0;
  for (const sample of samples) place = writePacked(bytes, place, sample);
  return bytes;
}
