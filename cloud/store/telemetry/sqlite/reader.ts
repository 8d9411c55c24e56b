import { parentPort, workerData } from 'node:worker_threads';
import { type Fields, readArrivedAfter, readBuckets, readLatest, type Shelf } from '../answers.ts';
import type { BucketColumns } from '../bucket-columns.ts';
import { answerCalls } from '../calls.ts';
import { DecodedSummaries } from '../decoded-summaries.ts';
import { type PointsSource, pointsHere } from '../points.ts';
import { readRaw } from '../raw.ts';
import type { Reading, Sample } from '../telemetry-store.ts';
import { openForReading } from './database.ts';
import { HotReadings } from './hot-readings.ts';
import { readTables } from './tables.ts';

export type ReaderOptions = { file: string };

export type Reader = {
  latest(ders: readonly number[]): Promise<Sample[]>;
  arrivedAfter(ders: readonly number[], received: number): Promise<Sample[] | undefined>;
  raw(der: number, from: number, to: number, fields: Fields): Promise<Reading[]>;
  buckets(der: number, edges: readonly number[], fields: Fields): Promise<BucketColumns>;
  close(): Promise<void>;
} & PointsSource;

function createReader({ file }: ReaderOptions): Reader {
  const database = openForReading(file);
  const tables = readTables(database);
  const hot = new HotReadings(database);
  const shelf: Shelf = {
    tables,
    hotReadings: (der, from, to, fields) => hot.of(der, from, to, fields),
    decoded: new DecodedSummaries(),
  };
  return {
    latest: (ders) => readLatest(tables, ders),
    arrivedAfter: (ders, received) => readArrivedAfter(tables, ders, received),
    raw: (der, from, to, fields) => readRaw(tables, der, from, to, fields),
    buckets: (der, edges, fields) => readBuckets(shelf, der, edges, fields),
    ...pointsHere(shelf),
    close: async () => database.close(),
  };
}

answerCalls(parentPort!, createReader(workerData as ReaderOptions), (result) => {
  if (!result || Array.isArray(result)) return [];
  if ('bytes' in result && typeof result.bytes !== 'number') return [result.bytes.buffer];
  return 'start' in result ? [result.start.buffer] : [];
});
