import { readBuckets } from './buckets.ts';
import { type PointsSource, readPiece, streamPoints } from './points.ts';
import { measureRaw } from './raw.ts';
import type { Sealer } from './sealing-run.ts';
import type { ReadTables } from './tables.ts';
import * as reading from './telemetry-reader.ts';
import type { BucketColumns, Sample, TelemetryStore } from './telemetry-store.ts';

/** Answers queries, here or in another thread. */
export type Queries = PointsSource & {
  latest(ders: readonly number[]): Promise<Sample[]>;
  receivedAfter: TelemetryStore['receivedAfter'];
  buckets(der: number, edges: readonly number[], fields: reading.Fields): Promise<BucketColumns>;
};

export function createQueries(tables: ReadTables, hotReadings = reading.createHotParser(tables)): Queries {
  const decoded = new reading.DecodedSummaries();
  const reader: reading.TelemetryReader = { tables, hotReadings, decoded, lastChunk: new reading.LastDecodedChunk() };
  return {
    latest: (ders) => reading.readLatest(tables, ders),
    receivedAfter: (ders, received) => reading.readReceivedAfter(tables, ders, received),
    buckets: (der, edges, fields) => readBuckets(reader, der, edges, fields),
    piece: (piece) => readPiece(reader, piece),
    measure: (...asked) => measureRaw(reader, ...asked),
  };
}

type StoreParts = Pick<TelemetryStore, 'append' | 'close'> & {
  queries: Queries;
  sealer: Omit<Sealer, 'close'>;
  /** the time before which readings are deleted */
  forgottenBefore: number;
};

export function createStore({ append, close, queries, sealer, forgottenBefore }: StoreParts): TelemetryStore {
  let oldestKept = forgottenBefore;
  return {
    append,
    oldestKept: () => oldestKept,
    latest: async (ders) => new Map((await queries.latest(ders)).map((sample) => [sample.der, sample])),
    receivedAfter: queries.receivedAfter,
    buckets: queries.buckets,
    points: (...asked) => streamPoints(queries, ...asked),
    seal: sealer.seal,
    erase: sealer.erase,
    async forget(now) {
      oldestKept = (await sealer.forget(now)) ?? oldestKept;
    },
    close,
  };
}
