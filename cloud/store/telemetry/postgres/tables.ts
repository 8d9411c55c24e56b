import type { QueryConfig, QueryResult } from 'pg';
import { hourMs } from '#contract/time.ts';
import { windowStart } from '../levels.ts';
import {
  type Chunk,
  type ChunkRange,
  type ChunkSize,
  commonTables,
  type ReadTables,
  type ReplayLimits,
  type RunStatement,
  type SealedSample,
  type StateName,
  type WriteTables,
} from '../tables.ts';
import type { Sample } from '../telemetry-store.ts';
import { firstOfEach, type HotRow, hotRowsOf, unpack } from './packed.ts';

/** A client, or a pool of them. */
export type QueryRunner = { query(query: QueryConfig): Promise<QueryResult> };

const endOfTime = Number.MAX_SAFE_INTEGER;
const rowsAtOnce = 64; // of at most 64 kB each
const manyDers = 50; // from here on, all recent rows are read

/** Returns the names of the tables of a partition. `leaving` is `hot` on a server that the partition is leaving. */
export const tableNames = (part: number) => ({
  hot: `telemetry_hot_${part}`,
  leaving: `telemetry_leaving_${part}`,
  chunks: `telemetry_chunks_${part}`,
});

/**
 * Reads one partition: first what arrived in the last minute, then what was sorted by DER, then what is sealed. Every
 * question reads sorted rows after recent ones; their table is missing on a server that the partition has left.
 */
export const readTables = (runner: QueryRunner, part: number): ReadTables =>
  tablesOf(runner, part, { isSealer: false });

/** A sealer sorts recent rows before it seals, and does not read them afterwards. */
function tablesOf(runner: QueryRunner, part: number, { isSealer }: { isSealer: boolean }): ReadTables {
  const names = tableNames(part);
  const rowsOf = rowsFrom(runner, isSealer ? part : undefined);
  const { state } = commonTables(runOn(rowsOf), commonNames(part));

  /** Reads recent samples of these DERs that arrived after a time. */
  async function recentOf(ders: readonly number[], received = -1): Promise<Sample[]> {
    if (isSealer) return [];
    const wanted = new Set(ders);
    const [condition, values] = ders.length < manyDers ? [' and ders && $3::bigint[]', [ders]] : ['', []];
    const text = `select body from telemetry_recent where part = $1 and received > $2${condition}`;
    const rows = await rowsOf<Body>('recent', text, [part, received, ...values]);
    return unpack(bodiesOf(rows), (sample) => wanted.has(sample.der) && sample.received > received);
  }

  /** Reads sorted samples of a range in order, at least as many as the limit if there are so many. */
  async function sorted(der: number, from: number, to: number, limit: number): Promise<Sample[]> {
    const isWithin = ({ at }: Pick<Sample, 'at'>): boolean => at >= from && at < to;
    const text = `select at, ctid, body from ${names.hot}
      where der = $1 and at >= $2 and last_at >= $3 and at < $4 and (at, ctid) > ($5, $6::tid) order by at, ctid limit $7`;
    let samples: Sample[] = [];
    for (let [at, ctid] = [-1, '(0,0)']; ; ) {
      const values = [der, windowStart(from, hourMs), from, Math.min(to, endOfTime), at, ctid, rowsAtOnce];
      const rows = await rowsOf<HotRow & { ctid: string }>('hot', text, values);
      samples = firstOfEach([...samples, ...unpack(bodiesOf(rows), isWithin)]);
      const last = rows.at(-1);
      if (!last || rows.length < rowsAtOnce) return samples;
      const complete = samples.filter((sample) => sample.at < last.at); // later rows begin at or after it
      if (complete.length >= limit) return complete;
      [at, ctid] = [last.at, last.ctid];
    }
  }

  return {
    hotRows: async (der, from, to, limit = Number.POSITIVE_INFINITY) => {
      const recent = await recentOf([der]);
      const stored = await sorted(der, from, to, limit);
      const within = recent.filter(({ at }) => at >= from && at < to);
      return firstOfEach([...within, ...stored]).slice(0, limit);
    },
    newestHot: async (ders) => {
      const wanted = new Set(ders);
      const ofThem = ders.length < manyDers ? 'and ders && $1::bigint[]' : '';
      const recent = isSealer ? '' : `select body from telemetry_recent where part = ${part} ${ofThem} union all`;
      const text = `${recent} select newest.body from unnest($1::bigint[]) as asked (der) cross join lateral (
        select body from ${names.hot} where der = asked.der
          and at >= (select max(at) from ${names.hot} where der = asked.der) / ${hourMs} * ${hourMs}
        order by last_at desc fetch first row with ties) newest`;
      const samples = unpack(bodiesOf(await rowsOf<Body>('newest-hot', text, [ders])), ({ der }) => wanted.has(der));
      const newest = new Map(firstOfEach(samples).map((sample) => [sample.der, sample]));
      return [...newest.values()];
    },
    hotAfter: async (ders, received, limits) => {
      const recent = await recentOf(ders, received);
      const text = `select body, total from (
          select body, sum(length(body)) over () as total, sum(length(body)) over (order by ctid) as bytes
          from ${names.hot} where der = any ($1::bigint[]) and received > $2
        ) as rows where bytes <= $3 or bytes = length(body)`; // the first row in any case, for the total
      const maxBytes = limits.bytes * 2; // also of samples that arrived earlier
      const rows = await rowsOf<Body & { total: number }>('hot-after', text, [ders, received, maxBytes]);
      if ((rows[0]?.total ?? 0) > maxBytes) return undefined;
      const stored = unpack(bodiesOf(rows), (sample) => sample.received > received);
      if (received < (await state('replayable_after'))) return undefined;
      return withinLimits(firstOfEach([...recent, ...stored]), limits);
    },
    chunks: (der, ranges) => rowsOf<Chunk>('chunks', chunksQuery(names.chunks, 'body'), chunkParameters(der, ranges)),
    chunkSizes: (der, ranges) =>
      rowsOf<ChunkSize>(
        'chunk-sizes',
        chunksQuery(names.chunks, 'length(body) as bytes'),
        chunkParameters(der, ranges),
      ),
    newestSealed: (ders) =>
      rowsOf<SealedSample>(
        'newest-sealed',
        'select der, at, body from telemetry_newest_sealed where der = any ($1::bigint[])',
        [ders],
      ),
  };
}

type PartitionedParts = {
  partOf(der: number): number;
  /** the name of the server that has a DER */
  serverOf(der: number): string;
  /** Asks the tables of a partition, on the server that has it. */
  ask<Answer>(part: number, question: (tables: ReadTables) => Promise<Answer>): Promise<Answer>;
};

/** Reads all partitions. */
export function partitionedTables({ partOf, serverOf, ask }: PartitionedParts): ReadTables {
  /** Asks each partition for its DERs. */
  const each = <Answer>(
    ders: readonly number[],
    question: (tables: ReadTables, some: readonly number[]) => Promise<Answer>,
  ): Promise<Answer[]> =>
    Promise.all(Array.from(Map.groupBy(ders, partOf), ([part, some]) => ask(part, (tables) => question(tables, some))));

  return {
    hotRows: (der, ...range) => ask(partOf(der), (tables) => tables.hotRows(der, ...range)),
    newestHot: async (ders) => (await each(ders, (tables, some) => tables.newestHot(some))).flat(),
    hotAfter: async (ders, received, limits) => {
      const found = await each(ders, (tables, some) => tables.hotAfter(some, received, limits));
      const samples = found.flatMap((some) => some ?? []);
      return found.includes(undefined) ? undefined : withinLimits(samples, limits);
    },
    chunks: (der, ranges) => ask(partOf(der), (tables) => tables.chunks(der, ranges)),
    chunkSizes: (der, ranges) => ask(partOf(der), (tables) => tables.chunkSizes(der, ranges)),
    newestSealed: async (ders) => {
      const ofServers = Array.from(Map.groupBy(ders, serverOf).values(), ([first = 0, ...others]) =>
        ask(partOf(first), (tables) => tables.newestSealed([first, ...others])),
      );
      return (await Promise.all(ofServers)).flat();
    },
  };
}

function withinLimits(samples: Sample[], limits: ReplayLimits): Sample[] | undefined {
  const bytes = samples.reduce((sum, { body }) => sum + body.length, 0);
  return samples.length > limits.samples || bytes > limits.bytes ? undefined : samples;
}

type Body = { body: Buffer };

const bodiesOf = (rows: readonly Body[]): Buffer[] => rows.map(({ body }) => body);

const chunksQuery = (table: string, columns: string): string =>
  `select chunks.tier, start, ${columns}
   from unnest($2::int[], $3::bigint[], $4::bigint[]) as span (tier, since, until)
   join ${table} chunks
     on der = $1 and chunks.tier = span.tier and start >= span.since and start < span.until
   order by chunks.tier, start`;

const chunkParameters = (der: number, ranges: readonly ChunkRange[]): unknown[] => [
  der,
  ranges.map(({ tier }) => tier),
  ranges.map(({ from }) => from),
  ranges.map(({ to }) => Math.min(to, endOfTime)),
];

export function writeTables(runner: QueryRunner, part: number): WriteTables {
  const rowsOf = rowsFrom(runner, part);
  const { hot } = tableNames(part);
  return {
    ...tablesOf(runner, part, { isSealer: true }),
    ...commonTables(runOn(rowsOf), commonNames(part)),
    // By time alone: only the sealer adds sorted rows, so that it has read all of them. Some may be repeats.
    dropHot: async (der, from, to) => {
      await rowsOf('drop-hot', `delete from ${hot} where der = $1 and at >= $2 and last_at < $3`, [der, from, to]);
      const cut = `delete from ${hot} where der = $1 and at >= $2 and at < $3 and last_at >= $3 returning body`;
      const isKept = ({ at }: { at: number }): boolean => at < from || at >= to;
      for (const edge of [from, Math.min(to, endOfTime)].filter((each) => each % hourMs !== 0)) {
        const rows = await rowsOf<Body>('cut-hot', cut, [der, windowStart(edge, hourMs), edge]);
        await insertHot(runner, part, hotRowsOf(bodiesOf(rows), isKept));
      }
    },
  };
}

/** Inserts rows of sorted samples into a partition. */
export const insertHot = (runner: QueryRunner, part: number, rows: readonly HotRow[]): Promise<void> =>
  insertBodies(runner, tableNames(part).hot, ['der', 'at', 'last_at', 'received'], rows);

/** Inserts rows of numbers and a body. All bodies are one parameter, which is sent as it is. */
export async function insertBodies<Column extends string>(
  runner: QueryRunner,
  table: string,
  columns: readonly Column[],
  rows: readonly (Record<Column, number> & Body)[],
): Promise<void> {
  if (rows.length === 0) return;
  const lists = columns.map((_, i) => `$${i + 1}::bigint[]`).join();
  const [first, length, all] = [1, 2, 3].map((more) => `$${columns.length + more}`);
  const text = `insert into ${table} (${columns.join()}, body)
    select ${columns.join()}, substring(${all}::bytea from first_byte::int for bytes::int)
    from unnest(${lists}, ${first}::bigint[], ${length}::bigint[]) as row (${columns.join()}, first_byte, bytes)`;
  const bytes = rows.map(({ body }) => body.length);
  let next = 1;
  const firstByte = bytes.map((count) => {
    next += count;
    return next - count;
  });
  const numbers = [...columns.map((column) => rows.map((row) => row[column])), firstByte, bytes];
  const values = [...numbers.map(bigintArray), Buffer.concat(bodiesOf(rows))];
  await runner.query({ name: `telemetry-put ${table}`, text, values });
}

const bigintType = 20; // of PostgreSQL

/** Writes numbers as PostgreSQL receives a binary bigint[]. */
export function bigintArray(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(20 + 12 * numbers.length);
  for (const [i, word] of [1, 0, bigintType, numbers.length, 1].entries()) bytes.writeInt32BE(word, i * 4);
  let place = 20;
  for (const number of numbers) {
    bytes.writeInt32BE(8, place);
    bytes.writeInt32BE(Math.floor(number / 2 ** 32), place + 4);
    bytes.writeUInt32BE(number - Math.floor(number / 2 ** 32) * 2 ** 32, place + 8);
    place += 12;
  }
  return bytes;
}

const commonNames = (part: number) => ({
  chunks: tableNames(part).chunks,
  newest: 'telemetry_newest_sealed',
  state: 'telemetry_state',
  stateKey: (name: StateName) => (name.startsWith('forgotten') ? name : `${name} ${part}`), // those are of the server
});

type RowsOf = <Row>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

/** Runs statements with the numbered parameters of PostgreSQL. */
const runOn =
  (rowsOf: RowsOf): RunStatement =>
  (name, sql, values = {}) => {
    const parameters: unknown[] = [];
    const text = sql.replace(/:(\w+)/g, (_, parameter: string) => `$${parameters.push(values[parameter])}`);
    return rowsOf(name, text, parameters);
  };

/** Statements of a sealer are prepared. Those of readers are not, because each of many connections would keep them for every partition. */
const rowsFrom =
  (runner: QueryRunner, preparedFor: number | undefined): RowsOf =>
  async (name, text, values) => {
    const prepared = preparedFor === undefined ? {} : { name: `telemetry-${preparedFor}-${name}` };
    return (await runner.query({ ...prepared, text, values })).rows;
  };
