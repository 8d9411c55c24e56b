import { RecentMap } from '#lib/recent-map.ts';
import { decodeReadings, readingsBody } from './codec/reading-chunk.ts';
import {
  columnBytes,
  dropExcessColumns,
  hotRowsAtOnce,
  mergeReadings,
  type ParsedReadings,
  parseReadings,
  type Readings,
} from './readings.ts';
import type { Summaries } from './summaries.ts';
import type { Chunk, ReadTables, ReplayLimits } from './tables.ts';
import type { Sample } from './telemetry-store.ts';

export type Fields = readonly string[] | undefined;

/** Reads telemetry from tables, with caches of what was decoded. */
export type TelemetryReader = {
  tables: ReadTables;
  /** Returns hot readings in order. */
  hotReadings(der: number, from: number, to: number, fields: Fields): Readings | Promise<Readings>;
  decoded: DecodedSummaries;
  lastChunk: LastDecodedChunk;
};

export const toSet = (fields: Fields): ReadonlySet<string> | undefined => fields && new Set(fields);

/** Parses hot readings on each call, in portions. Leaves out fields that would take too much memory. */
export const createHotParser =
  (tables: ReadTables): TelemetryReader['hotReadings'] =>
  async (der, from, to, fields) => {
    const only = toSet(fields);
    let parts: readonly Readings[] = [];
    for (let since = from; ; ) {
      const rows = await tables.hotRows(der, since, to, hotRowsAtOnce);
      parts = dropExcessColumns([...parts, parseReadings(rows, only)]);
      const last = rows.at(-1);
      if (!last || rows.length < hotRowsAtOnce) return mergeReadings(parts);
      since = last.at + 1;
    }
  };

/** Reads the newest sample of each DER. The receive time of a sealed one is unknown; its own time takes its place. */
export async function readLatest(tables: ReadTables, ders: readonly number[]): Promise<Sample[]> {
  const hot = await tables.newestHot(ders);
  const latest = new Map(hot.map((sample) => [sample.der, sample]));
  for (const sealed of await tables.newestSealed(ders)) {
    const arrived = latest.get(sealed.der);
    if (arrived && arrived.at > sealed.at) continue;
    latest.set(sealed.der, { ...sealed, received: sealed.at * 1000 });
  }
  return [...latest.values()];
}

// Enough for a quarter of an hour of 50 DERs with two readings a second.
const maxReplay: ReplayLimits = { samples: 100_000, bytes: 32 * 1024 ** 2 };

/** Reads samples in the order they were received after a time (µs); undefined when some are sealed or they are too many. */
export async function readReceivedAfter(
  tables: ReadTables,
  ders: readonly number[],
  received: number,
  limits = maxReplay,
): Promise<Sample[] | undefined> {
  const samples = await tables.hotAfter(ders, received, limits);
  return samples?.sort((a, b) => a.received - b.received);
}

type Decoded = { body: Uint8Array; summaries: Summaries; bytes: number };

/** Caches decoded rollups; the least recently used are evicted. */
export class DecodedSummaries {
  readonly #decoded: RecentMap<Decoded>;

  constructor(maxBytes = 16 * 1024 * 1024) {
    this.#decoded = new RecentMap(maxBytes, ({ bytes }) => bytes);
  }

  /** Decodes unless the same bytes were decoded before: a chunk may have been rewritten. */
  get(key: string, body: Uint8Array, decode: () => Summaries): Summaries {
    const known = this.#decoded.get(key);
    if (known && Buffer.compare(known.body, body) === 0) return known.summaries;
    const summaries = decode();
    const bytes = body.length + (1 + summaries.fields.size) * columnBytes(summaries.at.length);
    this.#decoded.set(key, { body, summaries, bytes });
    return summaries;
  }
}

const keptMs = 2000;

/** Keeps the readings of the last decoded chunk for two seconds: a day is sent in several parts of one chunk. */
export class LastDecodedChunk {
  #last: { body: Uint8Array; fields: string; readings: ParsedReadings } | undefined;
  #timer: NodeJS.Timeout | undefined;

  get(chunk: Chunk, only: ReadonlySet<string> | undefined): ParsedReadings {
    const fields = only ? JSON.stringify([...only]) : 'all';
    const isSame = this.#last?.fields === fields && Buffer.compare(this.#last.body, chunk.body) === 0;
    if (!this.#last || !isSame)
      this.#last = { body: chunk.body, fields, readings: decodeReadings(readingsBody(chunk), only) };
    if (!this.#timer) {
      this.#timer = setTimeout(() => {
        this.#last = undefined;
        this.#timer = undefined;
      }, keptMs).unref();
    }
    return this.#last.readings;
  }
}
