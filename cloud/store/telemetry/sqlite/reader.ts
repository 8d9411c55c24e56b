import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { RecentMap } from '#lib/recent-map.ts';
import { prepare, prepareArrays } from '../../sqlite-statements.ts';
import { createQueries, type Queries } from '../queries.ts';
import {
  columnBytes,
  dropExcessColumns,
  hotRowsAtOnce,
  mergeReadings,
  parseReadings,
  type Readings,
  sliceReadings,
} from '../readings.ts';
import { serveCalls } from '../threads.ts';
import { openForReading } from './database.ts';
import { hotRange, hotSlots, readTables } from './tables.ts';

/** Identifies a hot row without its body. */
type Row = [at: number, received: number, seq: number];

/** `seqs` identify the rows of the readings. */
type Entry = { seqs: Float64Array; readings: Readings };

const bytesOf = ({ seqs, readings }: Entry): number => (2 + readings.fields.size) * columnBytes(seqs.length);

/** Caches parsed hot readings, so that queries parse only new rows. Each query checks that the cached rows still exist. */
class HotReadings {
  readonly #entries = new RecentMap<Entry>(16 * 1024 * 1024, bytesOf);
  readonly #rows;
  readonly #body;

  constructor(database: DatabaseSync) {
    this.#rows = prepareArrays<Row>(
      database,
      `${hotSlots}
       select at, received, seq from slots
         cross join samples on samples.minute = slots.minute and der = :der and at >= :since and at < :until`,
    );
    this.#body = prepare<{ body: string }>(database, 'select body from bodies where seq = ?');
  }

  get(der: number, from: number, to: number, fields?: readonly string[]): Readings {
    const rows = this.#rows.all(hotRange(der, from, to));
    const key = `${der} ${fields ? JSON.stringify(fields) : 'all'}`;
    const entry = this.#entries.get(key);
    const known = entry ? countShared(entry.seqs, rows) : 0;
    const only = fields && new Set(fields);
    const [[firstAt] = [0], [lastAt] = [0]] = [rows[0], rows[known - 1]];
    let parts: readonly Readings[] = entry && known > 0 ? [sliceReadings(entry.readings, firstAt, lastAt + 1)] : [];
    for (let first = known; first < rows.length; first += hotRowsAtOnce) {
      const some = rows.slice(first, first + hotRowsAtOnce);
      const fresh = parseReadings(
        some.map(([at, , seq]) => ({ at, body: this.#bodyOf(seq) })),
        only,
      );
      parts = dropExcessColumns([...parts, fresh]);
    }
    const readings = mergeReadings(parts);
    if (known < rows.length || !entry)
      this.#entries.set(key, { seqs: Float64Array.from(rows, ([, , seq]) => seq), readings });
    return readings;
  }

  /** Returns an empty object for a row that was sealed meanwhile: chunks are read afterwards. */
  #bodyOf(seq: number): string {
    return this.#body.get(seq)?.body ?? '{}';
  }
}

/** Counts the first rows that are cached without a gap. */
function countShared(cached: Float64Array, rows: readonly Row[]): number {
  let shared = 0;
  let next = -1;
  for (const [, , seq] of rows) {
    if (shared === 0) next = cached.indexOf(seq);
    if (next < 0 || cached[next] !== seq) break;
    next++;
    shared++;
  }
  return shared;
}

export type ReaderOptions = { file: string };

export type Reader = Queries & { close(): Promise<void> };

type ReaderResult = Awaited<ReturnType<Reader[keyof Reader]>>;

function createReader({ file }: ReaderOptions): Reader {
  const database = openForReading(file);
  const hot = new HotReadings(database);
  const queries = createQueries(readTables(database), (der, from, to, fields) => hot.get(der, from, to, fields));
  return { ...queries, close: async () => database.close() };
}

serveCalls<ReaderResult>(parentPort, createReader(workerData), (result) => {
  if (!result || Array.isArray(result)) return [];
  if ('bytes' in result && typeof result.bytes !== 'number') return [result.bytes.buffer];
  return 'at' in result ? [result.at.buffer] : [];
});
