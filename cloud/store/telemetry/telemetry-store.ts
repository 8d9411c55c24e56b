/** A reading as it arrived. A DER has at most one at an instant: the first that is received. */
export type Sample = {
  /** the number of the DER (ders.no) */
  der: number;
  /** when it was measured, ms */
  at: number;
  /** when it was received, µs; strictly increasing within a process, unless its clock was set back by days */
  received: number;
  /** the reading as JSON: one flat object whose numbers are finite */
  body: string;
};

/**
 * Buckets with data, in columns that are views of one buffer: `last W` of a counter (NaN where it is absent), else `mean W`,
 * `min W` and `max W` (min > max where it is absent).
 */
export type BucketColumns = { at: Float64Array<ArrayBuffer>; fields: Map<string, Float64Array> };

/** The readings of a range up to `end`, in columns that are views of one buffer; NaN means absent. */
export type ReadingColumns = { at: Float64Array<ArrayBuffer>; fields: Map<string, Float64Array>; end: number };

/** Readings in [from, to), or a bucket between each two edges. */
export type PointsQuery = { from: number; to: number } | { edges: readonly number[] };

export type PointsFormat = 'json' | 'csv';

export type TextPart = { bytes: Uint8Array; isLast: boolean };

export type Retention = { rawMs: number; minutesMs: number; hoursMs: number };

/** Readings of an hour that were stored as JSON, because sealing them would take too much memory. */
export type SetAside = { der: number; hour: number; readings: number };

export type SealReport = { chunks: number; readings: number; setAside: SetAside[] };

/** Stores readings: first as they arrive, later in sealed chunks with rollups. Queries read both. */
export type TelemetryStore = {
  /**
   * Resolves when the samples survive a power cut. SQLite returns the receive times of those stored before and not sealed;
   * PostgreSQL does not look for them, and returns none.
   */
  append(samples: readonly Sample[]): Promise<readonly number[]>;
  /** How long samples are gathered for one call of `append` (ms), and how many need not wait. */
  readonly batching: { gatherMs: number; enough: number };
  /** Returns the server that stores a DER. Samples of different servers are better appended separately: one may be down. */
  serverOf(der: number): string;
  /** Returns the time before which readings are deleted, and refused when they arrive. */
  oldestKept(): number;
  /** Returns the newest sample of each DER that has one; a sealed sample has only its numbers. */
  latest(ders: readonly number[]): Promise<Map<number, Sample>>;
  /** Returns samples in the order they were received after a time (µs); undefined when some are sealed or they are too many. */
  receivedAfter(ders: readonly number[], received: number): Promise<Sample[] | undefined>;
  /** Returns one bucket between each two edges (ms, ascending, whole minutes), without empty buckets. */
  buckets(der: number, edges: readonly number[], fields?: readonly string[]): Promise<BucketColumns>;
  /** Returns the readings of some fields from `from` up to the `end` that it reports, at most `to`, in bounded memory. */
  readings(der: number, from: number, to: number, fields: readonly string[]): Promise<ReadingColumns>;
  /**
   * Streams readings or buckets as a JSON array of {"timestamp":…,"W":…} or as CSV. A bucket has the mean as W, and W_min
   * and W_max; a counter has only its last value. Each part is made when the one before was consumed. Throws AnswerTooLarge
   * for more readings than one answer may hold.
   */
  points(der: number, asked: PointsQuery, fields?: readonly string[], format?: PointsFormat): AsyncGenerator<TextPart>;
  /** Seals what is old enough, in small steps that delay no other work. Safe to call from several processes. */
  seal(now: number): Promise<SealReport>;
  /** Deletes all telemetry of these DERs; returns false when it must be retried. Safe to repeat. */
  erase(ders: readonly number[]): Promise<boolean>;
  /** Deletes what is older than its retention. Advances by at most a day per call, however far ahead the clock is. */
  forget(now: number): Promise<void>;
  close(): Promise<void>;
};

// PostgreSQL's data exceptions, broken constraints and exceeded limits; SQLite's TOOBIG, CONSTRAINT and MISMATCH.
const unstorableClasses = /^(22|23|54)/;
const unstorableCodes = new Set([18, 19, 20]);

/** Returns whether a sample caused the error, so that retrying would not help. */
export function isUnstorable(error: unknown): boolean {
  const { code, errcode }: { code?: string; errcode?: number } = Object(error);
  return unstorableClasses.test(code ?? '') || unstorableCodes.has((errcode ?? 0) & 0xff);
}

const tooMuch = ['too_many_readings', 'too_many_values', 'too_many_bytes'] as const;
type TooMuchCode = (typeof tooMuch)[number];

/** Thrown for more raw readings than one answer may hold. Recognised by its code: an error from another thread loses its class. */
export class AnswerTooLarge extends Error {
  readonly code: TooMuchCode;

  constructor(code: TooMuchCode) {
    super(code);
    this.code = code;
  }
}

export const answerTooLargeCode = (error: unknown): TooMuchCode | undefined =>
  tooMuch.find((code) => code === Object(error).code);
