import { dayMs, hourMs } from '#contract/time.ts';
import { minuteRollups, sealedRollups, windowStart } from './levels.ts';
import { forgetDay, lastClosed, nothingSealed, sealDay, sealHour, sealHourOfDay, setAsideHot } from './sealing.ts';
import { type DerTime, type Tier, tiers, type WriteTables } from './tables.ts';
import type { Retention, SealReport, TelemetryStore } from './telemetry-store.ts';

/** Runs work in one transaction, which may not see its own changes. */
export type Transact = <T>(work: (tables: WriteTables) => Promise<T>) => Promise<T>;

export type Sealing = {
  transact: Transact;
  /** Lists the hours of each DER that have hot rows and start before a time. */
  hotHours(before: number): Promise<DerTime[]>;
};

/** The methods of a thread that seals. */
export type Sealer = Pick<TelemetryStore, 'seal' | 'erase' | 'close'> & {
  /** Returns the time before which readings are deleted; undefined when it was interrupted. */
  forget(now: number): Promise<number | undefined>;
};

/** `isDone`: nothing that is due is left. */
export type Sealed = SealReport & { isDone: boolean };

/**
 * Seals every hour and day that is due, each in a transaction, or a share of the hours. Days follow when no hour is left.
 * Remembers up to which day it has searched for sealed hours of past days, so that later runs search only after they sealed
 * such an hour.
 */
export function createSealDue() {
  let searchedUpTo = Number.NaN;

  return async ({ transact, hotHours }: Sealing, now: number, share = 1): Promise<Sealed> => {
    let report = nothingSealed;
    const count = (more: SealReport): void => {
      report = {
        chunks: report.chunks + more.chunks,
        readings: report.readings + more.readings,
        setAside: [...report.setAside, ...more.setAside],
      };
    };
    const sealPlace = async (place: DerTime): Promise<void> => {
      const sealed = await transact((tables) => sealHour(tables, place, now));
      if (sealed) return count(sealed);
      for (let more: SealReport | undefined = nothingSealed; more; ) {
        count(more);
        more = await transact((tables) => setAsideHot(tables, place, now));
      }
    };
    const sealDays = (lastDay: number): Promise<void> =>
      walk(transact, tiers.hour, async (tables, place) => {
        const day = windowStart(place.at, dayMs);
        if (day > lastDay) return nextDer(place);
        const whole = await sealDay(tables, place.der, day);
        count(whole ?? (await sealHourOfDay(tables, place)));
        return { der: place.der, at: whole ? day + dayMs : place.at + 1 };
      });
    const due = await hotHours(lastClosed(hourMs, now) + 1);
    const maxChunks = share < 1 ? Math.ceil(due.length * share) : Number.POSITIVE_INFINITY;
    const failures: unknown[] = [];
    const lastDay = lastClosed(dayMs, now);
    const isPast = ({ at }: DerTime): boolean => windowStart(at, dayMs) <= lastDay;
    for (const [i, place] of due.entries()) {
      try {
        await sealPlace(place);
      } catch (error) {
        failures.push(error); // continues with the others, unless the database itself fails
        if (failures.length === maxFailures) throw error;
      }
      if (i === due.length - 1 || report.chunks < maxChunks || failures.length > 0) continue;
      if (due.some(isPast)) searchedUpTo = Number.NaN;
      return { ...report, isDone: false };
    }
    if (lastDay !== searchedUpTo || due.some(isPast)) await sealDays(lastDay);
    if (failures.length > 0) throw failures[0];
    searchedUpTo = lastDay;
    return { ...report, isDone: true };
  };
}

const maxFailures = 10;

export type Floor = {
  /** the time that retention is computed from */
  asOf: number;
  /** the time of the oldest readings that are kept */
  rawFloor: number;
};

/**
 * Determines how much to delete. Deleted readings cannot be restored, so a wrong clock must not delete everything: `asOf`
 * stays within a day of the newest sealed reading, which was timed by its gateway's clock, and advances by at most a day per
 * call.
 */
export async function raiseFloor(tables: WriteTables, now: number, { rawMs }: Retention): Promise<Floor> {
  const newest = await tables.newestSealedAt();
  const last = (await tables.state('forgotten_as_of')) || Number.POSITIVE_INFINITY;
  const allowed = Math.min(now, last + dayMs);
  const asOf = Math.min(allowed, newest + dayMs);
  const raised = Math.max(await tables.state('forgotten_before'), windowStart(asOf - rawMs, dayMs));
  const rawFloor = Math.min(raised, windowStart(newest, dayMs)); // nothing later needs to be deleted
  if (asOf === allowed) await tables.raiseState('forgotten_as_of', asOf); // not while no readings arrive
  await tables.putState('forgotten_before', rawFloor);
  return { asOf, rawFloor };
}

/** Deletes whole chunks that are older than their retention, and stores the minutes of deleted readings. */
export async function forgetBefore(transact: Transact, { asOf, rawFloor }: Floor, retention: Retention): Promise<void> {
  const minutesFloor = windowStart(asOf - retention.minutesMs, dayMs);
  for (const tier of [tiers.day, tiers.hourOfDay]) {
    await walk(transact, tier, async (tables, place) => {
      if (place.at >= rawFloor) return nextDer(place);
      await forgetDay(tables, place, { tier, minutesAreKept: place.at >= minutesFloor });
      return { der: place.der, at: place.at + 1 };
    });
  }
  await forgetTier(transact, tiers.setAside, rawFloor);
  for (const { tier, spanMs, keptFor } of [minuteRollups, ...sealedRollups]) {
    await forgetTier(transact, tier, windowStart(asOf - retention[keptFor], spanMs));
  }
}

const forgetTier = (transact: Transact, tier: Tier, before: number): Promise<void> =>
  walk(transact, tier, async (tables, place) => {
    if (place.at < before) await tables.dropChunks(place.der, { tier, from: 0, to: before });
    return nextDer(place);
  });

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Deletes all telemetry of a DER, tier by tier, each in a transaction of its own. Safe to repeat. */
export async function eraseDer(transact: Transact, der: number): Promise<void> {
  await transact(async (tables) => {
    await tables.dropHot(der, all.from, all.to, { after: -1, by: Number.MAX_SAFE_INTEGER });
    await tables.dropNewestSealed(der);
  });
  for (const tier of Object.values(tiers)) await transact((tables) => tables.dropChunks(der, { tier, ...all }));
}

/** Visits a chunk, and returns where to continue. */
type Visit = (tables: WriteTables, place: DerTime) => Promise<DerTime>;

const nextDer = ({ der }: DerTime): DerTime => ({ der: der + 1, at: 0 });

/** Visits the chunks of a tier, each in a transaction of its own. */
async function walk(transact: Transact, tier: Tier, visit: Visit): Promise<void> {
  let from: DerTime | undefined = { der: 0, at: 0 };
  while (from) {
    const after: DerTime = from;
    from = await transact(async (tables) => {
      const place = await tables.nextChunk(tier, after);
      return place && visit(tables, place);
    });
  }
}
