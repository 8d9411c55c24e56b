import type { HotRow } from './readings.ts';
import type { Sample } from './telemetry-store.ts';

/**
 * The kinds of chunks: an hour on its own, the readings of a day, its minutes, its five-minute rollups, the hours of a month, an hour
 * of a day that is too large for one chunk, readings that are set aside because columns would take too much memory.
 */
export const tiers = { hour: 0, day: 1, minutes: 2, hours: 3, fives: 4, hourOfDay: 5, setAside: 6 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

export type Chunk = { tier: Tier; start: number; body: Uint8Array };

export type ChunkSize = { tier: Tier; start: number; bytes: number };

/** Chunks that start from an instant to before another. */
export type Span = { tier: Tier; from: number; to: number };

export type Sealed = Omit<Sample, 'received'>;

export type TablePlace = { der: number; at: number };

/** After a moment (µs), and by another. */
export type Arrived = { after: number; by: number };

export type ReplayLimits = { samples: number; bytes: number };

/**
 * Rows move from hot to chunks, and from the chunks of hours to those of days, in one transaction each.
 * Who reads them in that order may see something twice, but misses nothing.
 */
export type ReadTables = {
  /** In the order of their time, at most so many. */
  hotRows(der: number, from: number, to: number, most?: number): Promise<HotRow[]>;
  newestHot(ders: readonly number[]): Promise<Sample[]>;
  /** Samples received after a moment (µs); undefined when there are more than the limits allow. */
  hotAfter(ders: readonly number[], received: number, limits: ReplayLimits): Promise<Sample[] | undefined>;
  /** As they were at one moment, by tier and start. */
  chunks(der: number, spans: readonly Span[]): Promise<Chunk[]>;
  chunkSizes(der: number, spans: readonly Span[]): Promise<ChunkSize[]>;
  /** The newest sealed sample of each DER that has one: its numbers, and when it was measured. */
  newestSealed(ders: readonly number[]): Promise<Sealed[]>;
  /** When the newest sealed sample of all was measured; 0 when there is none. */
  newestSealedAt(): Promise<number>;
  state(name: StateName): Promise<number>;
};

export type WriteTables = ReadTables & {
  /** The first chunk of a tier that is not before this place, by DER and start. */
  nextChunk(tier: Tier, from: TablePlace): Promise<TablePlace | undefined>;
  /** Those that arrived then: others were not read. */
  dropHot(der: number, from: number, to: number, arrived: Arrived): Promise<void>;
  putChunk(der: number, chunk: Chunk): Promise<void>;
  dropChunks(der: number, span: Span): Promise<void>;
  /** Unless there is a newer one. */
  putNewestSealed(sealed: Sealed): Promise<void>;
  dropNewestSealed(der: number): Promise<void>;
  /** Never lowers it. */
  raiseState(name: StateName, value: number): Promise<void>;
  putState(name: StateName, value: number): Promise<void>;
};

/**
 * replayable_after: µs; what arrived later is still in hot rows.
 * forgotten_before: ms; readings before it are gone, and new ones are not taken.
 * forgotten_as_of: ms; ages were last told from there.
 */
export type StateName = 'replayable_after' | 'forgotten_before' | 'forgotten_as_of';
