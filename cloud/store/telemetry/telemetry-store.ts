/** A reading as it arrived. A DER has at most one at an instant: the first that came. */
export type Sample = {
  /** the number of the DER (ders.no) */
  der: number;
  /** when it was measured, ms */
  at: number;
  /** when it arrived, µs; strictly increasing within a process, unless its clock was set back by days */
  received: number;
  /** the reading as JSON: one flat object whose numbers are finite */
  body: string;
};

/** The numbers of a reading. What was not read is not there. */
export type Reading = { at: number; values: Record<string, number> };

/** What a field did within a bucket. A counter has its last value, and all others are the same. */
export type FieldSummary = { mean: number; min: number; max: number; last?: number };

export type Bucket = { start: number; fields: Record<string, FieldSummary> };

/** Readings from an instant to before another, or a bucket between each two edges. */
export type AskedPoints = { from: number; to: number } | { edges: readonly number[] };

export type PointsFormat = 'json' | 'csv';

export type TextPart = { bytes: Uint8Array; isLast: boolean };

export type Retention = { rawMs: number; minutesMs: number; hoursMs: number };

/** Readings of an hour that were kept as they came, because sealing them would take too much memory. */
export type SetAside = { der: number; hour: number; readings: number };

export type SealReport = { chunks: number; readings: number; bytes: number; setAside: SetAside[] };

/** Where readings are kept: as they came at first, later in sealed chunks with rollups beside them, read alike. */
export type TelemetryStore = {
  /**
   * Safe when it resolves, on a power cut too. A sample that is there already changes nothing; it tells when those arrived
   * that were, as far as they are not sealed.
   */
  append(samples: readonly Sample[]): Promise<readonly number[]>;
  /** Before this instant everything was forgotten, and nothing is taken. */
  oldestKept(): number;
  /** The newest sample of each DER that has one; a sealed one comes with its numbers alone. */
  latest(ders: readonly number[]): Promise<Map<number, Sample>>;
  /** Samples received after that moment (µs), in that order; undefined when some were sealed since, or there are too many to replay. */
  arrivedAfter(ders: readonly number[], received: number): Promise<Sample[] | undefined>;
  /** From (inclusive) to (exclusive), in order. Only these fields, when given. Throws TooMuch beyond the bounds of one answer. */
  raw(der: number, from: number, to: number, fields?: readonly string[]): Promise<Reading[]>;
  /** One bucket between each two edges (ms, ascending, whole minutes); buckets without data are left out. */
  buckets(der: number, edges: readonly number[], fields?: readonly string[]): Promise<Bucket[]>;
  /**
   * What raw or buckets tell, as the JSON of an array, for whoever asked: {"timestamp":…,"W":…}, of a bucket with its
   * mean as W, W_min and W_max; of a counter with its last value alone. Or as CSV, with a column for each of these. The parts of
   * the text are made one by one, each when the one before was taken.
   */
  points(der: number, asked: AskedPoints, fields?: readonly string[], format?: PointsFormat): AsyncGenerator<TextPart>;
  /** Seals what is old enough, in steps too small to hold anything up. Safe to call from several processes. */
  seal(now: number): Promise<SealReport>;
  /** Deletes everything that is kept of these DERs, at every level; false when it must be tried again. Safe to repeat. */
  erase(ders: readonly number[]): Promise<boolean>;
  /** Forgets what has outlived its retention, however far ahead the clock is: it goes on by a day at most each time. */
  forget(now: number): Promise<void>;
  close(): Promise<void>;
};
