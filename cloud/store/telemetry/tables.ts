import type { HotRow } from './readings.ts';
import type { Sample } from './telemetry-store.ts';

/**
 * The kinds of chunks. hour: readings and rollups of an hour whose day is not over. day: readings of a day. oneMinute,
 * fiveMinute: rollups of a day. hourly: rollups of a month. hourOfDay: readings of an hour whose day is too large for one
 * chunk. setAside: readings as JSON, where columns would take too much memory.
 */
export const tiers = { hour: 0, day: 1, oneMinute: 2, hourly: 3, fiveMinute: 4, hourOfDay: 5, setAside: 6 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

export type Chunk = { tier: Tier; start: number; body: Uint8Array };

export type ChunkSize = { tier: Tier; start: number; bytes: number };

/** Chunks of a tier whose start lies in [from, to). */
export type ChunkRange = { tier: Tier; from: number; to: number };

export type SealedSample = Omit<Sample, 'received'>;

export type DerTime = { der: number; at: number };

/** Receive times (µs) in (after, by]. */
export type ReceivedRange = { after: number; by: number };

export type ReplayLimits = { samples: number; bytes: number };

/**
 * Hot rows move to chunks, and chunks of hours to those of days, in one transaction each. A reader that reads in that order
 * may see a reading twice, but misses none.
 */
export type ReadTables = {
  /** Reads rows in the order of their time. */
  hotRows(der: number, from: number, to: number, limit?: number): Promise<HotRow[]>;
  newestHot(ders: readonly number[]): Promise<Sample[]>;
  /** Reads samples received after a time (µs); undefined when some are sealed or they are more than the limits allow. */
  hotAfter(ders: readonly number[], received: number, limits: ReplayLimits): Promise<Sample[] | undefined>;
  /** Reads chunks from one snapshot, ordered by tier and start. */
  chunks(der: number, ranges: readonly ChunkRange[]): Promise<Chunk[]>;
  chunkSizes(der: number, ranges: readonly ChunkRange[]): Promise<ChunkSize[]>;
  /** Reads the newest sealed sample of each DER that has one: its numbers, and when it was measured. */
  newestSealed(ders: readonly number[]): Promise<SealedSample[]>;
};

export type WriteTables = ReadTables & {
  /** Returns when the newest sealed sample of all DERs was measured, or 0. */
  newestSealedAt(): Promise<number>;
  state(name: StateName): Promise<number>;
  /** Finds the first chunk of a tier at or after this position, by DER and start. */
  nextChunk(tier: Tier, from: DerTime): Promise<DerTime | undefined>;
  /** Deletes hot rows of a time range by when they were received, because later ones were not read. */
  dropHot(der: number, from: number, to: number, arrived: ReceivedRange): Promise<void>;
  putChunk(der: number, chunk: Chunk): Promise<void>;
  dropChunks(der: number, range: ChunkRange): Promise<void>;
  /** Saves the sample unless there is a newer one. */
  putNewestSealed(sealed: SealedSample): Promise<void>;
  dropNewestSealed(der: number): Promise<void>;
  /** Raises a value; never lowers it. */
  raiseState(name: StateName, value: number): Promise<void>;
  putState(name: StateName, value: number): Promise<void>;
};

/**
 * replayable_after: µs; samples received later are still in hot rows.
 * forgotten_before: ms; earlier readings are deleted, and refused when they arrive.
 * forgotten_as_of: ms; the time from which retention was last computed.
 * sorted_at: ms; when the recent rows of a partition were last sorted (PostgreSQL).
 */
export type StateName = 'replayable_after' | 'forgotten_before' | 'forgotten_as_of' | 'sorted_at';

/** Runs a statement, which has a name of its own, with the values of its parameters (`:name`). */
export type RunStatement = <Row>(
  name: string,
  sql: string,
  values?: Record<string, number | string | Uint8Array>,
) => Promise<Row[]>;

type CommonNames = { chunks: string; newest: string; state: string; stateKey(name: StateName): string };

const plainNames: CommonNames = { chunks: 'chunks', newest: 'newest_sealed', state: 'state', stateKey: (name) => name };

/** Returns the methods whose statements are the same in both engines. */
export function commonTables(run: RunStatement, { chunks, newest, state, stateKey } = plainNames) {
  return {
    newestSealedAt: async () =>
      (await run<{ at: number | null }>('newest-sealed-at', `select max(at) as at from ${newest}`))[0]?.at ?? 0,
    state: async (name) =>
      (
        await run<{ value: number }>('state', `select value from ${state} where name = :name`, { name: stateKey(name) })
      )[0]?.value ?? 0,
    nextChunk: async (tier, { der, at }) => {
      const sql = `select der, start as at from ${chunks}
        where tier = :tier and (der, start) >= (:der, :at) order by der, start limit 1`;
      return (await run<DerTime>('next-chunk', sql, { tier, der, at }))[0];
    },
    putChunk: async (der, chunk) => {
      const sql = `insert into ${chunks} (tier, der, start, body) values (:tier, :der, :start, :body)
        on conflict (tier, der, start) do update set body = excluded.body`;
      await run('put-chunk', sql, { der, ...chunk });
    },
    dropChunks: async (der, range) => {
      const sql = `delete from ${chunks} where tier = :tier and der = :der and start >= :from and start < :to`;
      await run('drop-chunks', sql, { der, ...range });
    },
    putNewestSealed: async (sample) => {
      const sql = `insert into ${newest} as known (der, at, body) values (:der, :at, :body)
        on conflict (der) do update set at = excluded.at, body = excluded.body where excluded.at > known.at`;
      await run('put-newest-sealed', sql, sample);
    },
    dropNewestSealed: async (der) =>
      void (await run('drop-newest-sealed', `delete from ${newest} where der = :der`, { der })),
    raiseState: async (name, value) => {
      const sql = `insert into ${state} as known (name, value) values (:name, :value)
        on conflict (name) do update set value = excluded.value where excluded.value > known.value`;
      await run('raise-state', sql, { name: stateKey(name), value });
    },
    putState: async (name, value) => {
      const sql = `insert into ${state} (name, value) values (:name, :value)
        on conflict (name) do update set value = excluded.value`;
      await run('put-state', sql, { name: stateKey(name), value });
    },
  } satisfies Partial<WriteTables>;
}
