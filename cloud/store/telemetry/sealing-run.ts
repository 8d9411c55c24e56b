import { dayMs, hourMs } from '#contract/time.ts';
import { minutesLevel, sealedLevels } from './levels.ts';
import { forgetDay, lastClosed, nothingSealed, sealDay, sealHour, sealHourOfDay, setAsideHot } from './sealing.ts';
import { type TablePlace, type Tier, tiers, type WriteTables } from './tables.ts';
import type { Retention, SealReport } from './telemetry-store.ts';
import { windowOf } from './windows.ts';

/** Works in one transaction. What it changes need not be seen before it ends. */
export type Transact = <T>(work: (tables: WriteTables) => Promise<T>) => Promise<T>;

export type Sealing = {
  transact: Transact;
  /** The hours, each with its DER, that have hot rows and start before an instant. */
  hotHours(before: number): Promise<TablePlace[]>;
};

/**
 * Seals every hour and every day that is due, each in a transaction. It remembers up to which day it looked for hours of days
 * that are over: later there are none but those it just sealed.
 */
export function createSealDue(): (sealing: Sealing, now: number) => Promise<SealReport> {
  let lookedUpTo = Number.NaN;

  return async ({ transact, hotHours }, now) => {
    let report = nothingSealed;
    const count = (more: SealReport): void => {
      report = {
        chunks: report.chunks + more.chunks,
        readings: report.readings + more.readings,
        bytes: report.bytes + more.bytes,
        setAside: [...report.setAside, ...more.setAside],
      };
    };
    const sealPlace = async (place: TablePlace): Promise<void> => {
      const sealed = await transact((tables) => sealHour(tables, place, now));
      if (sealed) return count(sealed);
      for (let more: SealReport | undefined = nothingSealed; more; ) {
        count(more);
        more = await transact((tables) => setAsideHot(tables, place, now));
      }
    };
    const sealDays = (lastDay: number): Promise<void> =>
      walk(transact, async (tables, from) => {
        const place = await tables.nextChunk(tiers.hour, from);
        if (!place) return undefined;
        const day = windowOf(place.at, dayMs);
        if (day > lastDay) return { der: place.der + 1, at: 0 };
        const whole = await sealDay(tables, place.der, day);
        count(whole ?? (await sealHourOfDay(tables, place)));
        return { der: place.der, at: whole ? day + dayMs : place.at + 1 };
      });
    const due = await hotHours(lastClosed(hourMs, now) + 1);
    const failures: unknown[] = [];
    for (const place of due) {
      try {
        await sealPlace(place);
      } catch (error) {
        failures.push(error); // the others go on, unless it is the database that fails
        if (failures.length === maxFailures) throw error;
      }
    }
    const lastDay = lastClosed(dayMs, now);
    const hasOverDays = lastDay !== lookedUpTo || due.some(({ at }) => windowOf(at, dayMs) <= lastDay);
    if (hasOverDays) await sealDays(lastDay);
    if (failures.length > 0) throw failures[0];
    lookedUpTo = lastDay;
    return report;
  };
}

const maxFailures = 10;

type Floor = {
  /** the instant that ages are told from */
  asOf: number;
  /** readings are kept from here */
  rawFloor: number;
};

/**
 * How far forgetting goes. What is forgotten does not come back, so it does not follow a clock that runs away: it stays
 * within a day of the newest sealed reading, whose gateway has a clock of its own, and goes on by a day at most each time.
 */
async function raiseFloor(tables: WriteTables, now: number, { rawMs }: Retention): Promise<Floor> {
  const newest = await tables.newestSealedAt();
  const last = (await tables.state('forgotten_as_of')) || Number.POSITIVE_INFINITY;
  const allowed = Math.min(now, last + dayMs);
  const asOf = Math.min(allowed, newest + dayMs);
  const raised = Math.max(await tables.state('forgotten_before'), windowOf(asOf - rawMs, dayMs));
  const rawFloor = Math.min(raised, windowOf(newest, dayMs)); // after it there is nothing to forget
  if (asOf === allowed) await tables.raiseState('forgotten_as_of', asOf); // a silent time is no step
  await tables.putState('forgotten_before', rawFloor);
  return { asOf, rawFloor };
}

/**
 * Drops the chunks that have outlived their retention, as whole chunks; of readings their minutes are kept. Tells the instant
 * from which readings are kept, a whole day.
 */
export async function forgetOld(transact: Transact, now: number, retention: Retention): Promise<number> {
  const { asOf, rawFloor } = await transact((tables) => raiseFloor(tables, now, retention));
  const minutesFloor = windowOf(asOf - retention.minutesMs, dayMs);
  for (const tier of [tiers.day, tiers.hourOfDay]) {
    await walk(transact, async (tables, from) => {
      const place = await tables.nextChunk(tier, from);
      if (!place) return undefined;
      if (place.at >= rawFloor) return { der: place.der + 1, at: 0 };
      await forgetDay(tables, place, { tier, minutesAreKept: place.at >= minutesFloor });
      return { der: place.der, at: place.at + 1 };
    });
  }
  await forgetTier(transact, tiers.setAside, rawFloor);
  for (const { tier, spanMs, keptFor } of [minutesLevel, ...sealedLevels]) {
    await forgetTier(transact, tier, windowOf(asOf - retention[keptFor], spanMs));
  }
  return rawFloor;
}

const forgetTier = (transact: Transact, tier: Tier, before: number): Promise<void> =>
  walk(transact, async (tables, from) => {
    const place = await tables.nextChunk(tier, from);
    if (!place) return undefined;
    if (place.at < before) await tables.dropChunks(place.der, { tier, from: 0, to: before });
    return { der: place.der + 1, at: 0 };
  });

const all = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Deletes everything that is kept of a DER, level by level, each in a transaction of its own; safe to repeat. */
export async function eraseDer(transact: Transact, der: number): Promise<void> {
  await transact(async (tables) => {
    await tables.dropHot(der, all.from, all.to, { after: -1, by: Number.MAX_SAFE_INTEGER });
    await tables.dropNewestSealed(der);
  });
  for (const tier of Object.values(tiers)) await transact((tables) => tables.dropChunks(der, { tier, ...all }));
}

/** Where to go on after a piece of work; undefined at the end. */
type Step = (tables: WriteTables, from: TablePlace) => Promise<TablePlace | undefined>;

async function walk(transact: Transact, step: Step): Promise<void> {
  let place: TablePlace | undefined = { der: 0, at: 0 };
  while (place) {
    const from: TablePlace = place;
    place = await transact((tables) => step(tables, from));
  }
}
