import type { QueryConfig, QueryResult } from 'pg';
import { hourMs } from '#contract/time.ts';
import type { HotRow } from '../readings.ts';
import type { Chunk, ChunkRange, ChunkSize, DerTime, ReadTables, SealedSample, WriteTables } from '../tables.ts';
import type { Sample } from '../telemetry-store.ts';

/** A client, or a pool of them. */
export type QueryRunner = { query(query: QueryConfig): Promise<QueryResult> };

const endOfTime = Number.MAX_SAFE_INTEGER;

export function readTables(runner: QueryRunner): ReadTables {
  const rowsOf = rowsFrom(runner);
  return {
    hotRows: (der, from, to, limit = endOfTime) =>
      rowsOf<HotRow>(
        'telemetry-hot-rows',
        `select at, received, body from telemetry_samples where der = $1 and at >= $2 and at < $3 order by at limit $4`,
        [der, from, to, limit],
      ),
    newestHot: (ders) =>
      rowsOf<Sample>(
        'telemetry-newest-hot',
        `select newest.* from unnest($1::bigint[]) as asked (der) cross join lateral
           (select der, at, received, body from telemetry_samples where der = asked.der order by der desc, at desc limit 1) newest`,
        [ders],
      ),
    hotAfter: async (ders, received, limits) => {
      const rows = await rowsOf<Sample & { total: number }>(
        'telemetry-hot-after',
        `select der, at, received, body, total from (
           select *, octet_length(body) as bytes, sum(octet_length(body)) over (rows unbounded preceding)::float8 as total from (
             select der, at, received, body from telemetry_samples
             where der = any ($1::bigint[]) and at >= $2 and received > $3
             union all
             select der, at, received, body from telemetry_samples
             where der = any ($1::bigint[]) and received > $3 and at < received / 1000 - 3600000 and at < $2
             limit $4 + 1
           ) as found
         ) as counted where total - bytes <= $5`,
        [ders, Math.floor(received / 1000) - hourMs, received, limits.samples, limits.bytes],
      );
      if (rows.length > limits.samples || rows.some(({ total }) => total > limits.bytes)) return undefined;
      return rows.map(({ total: _, ...sample }) => sample);
    },
    chunks: (der, ranges) => rowsOf<Chunk>('telemetry-chunks', chunksQuery('body'), chunkParameters(der, ranges)),
    chunkSizes: (der, ranges) =>
      rowsOf<ChunkSize>('telemetry-chunk-sizes', chunksQuery('length(body) as bytes'), chunkParameters(der, ranges)),
    newestSealed: (ders) =>
      rowsOf<SealedSample>(
        'telemetry-newest-sealed',
        'select der, at, body from telemetry_newest_sealed where der = any ($1::bigint[])',
        [ders],
      ),
    newestSealedAt: async () => {
      const rows = await rowsOf<{ at: number }>(
        'telemetry-newest-sealed-at',
        'select coalesce(max(at), 0) as at from telemetry_newest_sealed',
        [],
      );
      return rows[0]!.at;
    },
    state: async (name) => {
      const rows = await rowsOf<{ value: number }>(
        'telemetry-state',
        'select value from telemetry_state where name = $1',
        [name],
      );
      return rows[0]?.value ?? 0;
    },
  };
}

const chunksQuery = (columns: string): string =>
  `select chunks.tier, start, ${columns}
   from unnest($2::int[], $3::bigint[], $4::bigint[]) as span (tier, since, until)
   join telemetry_chunks chunks
     on der = $1 and chunks.tier = span.tier and start >= span.since and start < span.until
   order by chunks.tier, start`;

const chunkParameters = (der: number, ranges: readonly ChunkRange[]): unknown[] => [
  der,
  ranges.map(({ tier }) => tier),
  ranges.map(({ from }) => from),
  ranges.map(({ to }) => Math.min(to, endOfTime)),
];

export function writeTables(runner: QueryRunner): WriteTables {
  const rowsOf = rowsFrom(runner);
  const run = async (name: string, text: string, values: unknown[]): Promise<void> => {
    await runner.query({ name, text, values });
  };
  const firstOf = async (name: string, text: string, values: unknown[]): Promise<DerTime | undefined> =>
    (await rowsOf<DerTime>(name, text, values))[0];
  return {
    ...readTables(runner),
    nextChunk: (tier, { der, at }) =>
      firstOf(
        'telemetry-next-chunk',
        `select der, start as at from telemetry_chunks
         where tier = $1 and (der, start) >= ($2, $3) order by der, start limit 1`,
        [tier, der, at],
      ),
    dropHot: (der, from, to, { after, by }) =>
      run(
        'telemetry-drop-hot',
        `delete from telemetry_samples
         where der = $1 and at >= $2 and at < $3 and received > $4 and received <= $5`,
        [der, from, to, after, by],
      ),
    putChunk: (der, { tier, start, body }) =>
      run(
        'telemetry-put-chunk',
        `insert into telemetry_chunks (tier, der, start, body) values ($1, $2, $3, $4)
         on conflict (tier, der, start) do update set body = excluded.body`,
        [tier, der, start, body],
      ),
    dropChunks: (der, { tier, from, to }) =>
      run(
        'telemetry-drop-chunks',
        'delete from telemetry_chunks where tier = $1 and der = $2 and start >= $3 and start < $4',
        [tier, der, from, to],
      ),
    putNewestSealed: ({ der, at, body }) =>
      run(
        'telemetry-put-newest-sealed',
        `insert into telemetry_newest_sealed as newest (der, at, body) values ($1, $2, $3)
         on conflict (der) do update set at = excluded.at, body = excluded.body where excluded.at > newest.at`,
        [der, at, body],
      ),
    dropNewestSealed: (der) =>
      run('telemetry-drop-newest-sealed', 'delete from telemetry_newest_sealed where der = $1', [der]),
    raiseState: (name, value) =>
      run(
        'telemetry-raise-state',
        `insert into telemetry_state as state (name, value) values ($1, $2)
         on conflict (name) do update set value = greatest(state.value, excluded.value)`,
        [name, value],
      ),
    putState: (name, value) =>
      run(
        'telemetry-put-state',
        `insert into telemetry_state (name, value) values ($1, $2)
         on conflict (name) do update set value = excluded.value`,
        [name, value],
      ),
  };
}

const rowsFrom =
  (runner: QueryRunner) =>
  async <Row>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await runner.query({ name, text, values })).rows as Row[];
