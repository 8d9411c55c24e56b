import type { QueryConfig, QueryResult } from 'pg';
import { hourMs } from '#contract/time.ts';
import type { HotRow } from '../readings.ts';
import * as common from '../tables.ts';
import type { Sample } from '../telemetry-store.ts';

/** A client, or a pool of them. */
export type QueryRunner = { query(query: QueryConfig): Promise<QueryResult> };

const endOfTime = Number.MAX_SAFE_INTEGER;
const prefix = 'telemetry_';

export function readTables(runner: QueryRunner): common.ReadTables {
  const rowsOf = rowsFrom(runner);
  const { newestSealedAt, state } = common.commonTables(runOn(runner), prefix);
  return {
    newestSealedAt,
    state,
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
    chunks: (der, ranges) =>
      rowsOf<common.Chunk>('telemetry-chunks', chunksQuery('body'), chunkParameters(der, ranges)),
    chunkSizes: (der, ranges) =>
      rowsOf<common.ChunkSize>(
        'telemetry-chunk-sizes',
        chunksQuery('length(body) as bytes'),
        chunkParameters(der, ranges),
      ),
    newestSealed: (ders) =>
      rowsOf<common.SealedSample>(
        'telemetry-newest-sealed',
        'select der, at, body from telemetry_newest_sealed where der = any ($1::bigint[])',
        [ders],
      ),
  };
}

const chunksQuery = (columns: string): string =>
  `select chunks.tier, start, ${columns}
   from unnest($2::int[], $3::bigint[], $4::bigint[]) as span (tier, since, until)
   join telemetry_chunks chunks
     on der = $1 and chunks.tier = span.tier and start >= span.since and start < span.until
   order by chunks.tier, start`;

const chunkParameters = (der: number, ranges: readonly common.ChunkRange[]): unknown[] => [
  der,
  ranges.map(({ tier }) => tier),
  ranges.map(({ from }) => from),
  ranges.map(({ to }) => Math.min(to, endOfTime)),
];

export function writeTables(runner: QueryRunner): common.WriteTables {
  const rowsOf = rowsFrom(runner);
  return {
    ...readTables(runner),
    ...common.commonTables(runOn(runner), prefix),
    dropHot: async (der, from, to, { after, by }) => {
      const text = `delete from telemetry_samples
        where der = $1 and at >= $2 and at < $3 and received > $4 and received <= $5`;
      await rowsOf('telemetry-drop-hot', text, [der, from, to, after, by]);
    },
  };
}

/** Runs statements with the numbered parameters of PostgreSQL. */
function runOn(runner: QueryRunner): common.RunStatement {
  const rowsOf = rowsFrom(runner);
  return (name, sql, values = {}) => {
    const parameters: unknown[] = [];
    const text = sql.replace(/:(\w+)/g, (_, parameter: string) => `$${parameters.push(values[parameter])}`);
    return rowsOf(`telemetry-${name}`, text, parameters);
  };
}

const rowsFrom =
  (runner: QueryRunner) =>
  async <Row>(name: string, text: string, values: unknown[]): Promise<Row[]> =>
    (await runner.query({ name, text, values })).rows;
