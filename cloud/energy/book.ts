import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import {
  listDerDaysBefore,
  listEnergyDers,
  listEnergyParts,
  listSiteDays,
  saveEnergyPart,
  saveSiteDay,
  widenEnergyDer,
} from '../store/energy.ts';
import type { Db } from '../store/engine.ts';
import type { EnergyDerRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import {
  packDerDay,
  packDerTotals,
  packSiteDay,
  packSiteTotals,
  siteTotals,
  unpackDerDay,
  unpackSiteDay,
} from './codec.ts';
import type { ChainState, QuarterRecord } from './fold.ts';
import { composeDay, type DerDay, emptyDerDay, putRecord, quartersOfDay, type SiteDay } from './site-day.ts';

/** Records of a DER that replace those of [from, to); quarters of them without a record have no energy. */
export type Entry = { slot: number; from: number; to: number; records: readonly QuarterRecord[] };

export const dayOf = (quarter: number): number => Math.floor(quarter / quartersOfDay);
export const dayAt = (ms: number): number => Math.floor(ms / dayMs);

const chainDays = 2; // the readings of a day may be folded from a chain state of the day before
const daysPerTransaction = 8; // a gap may touch 400 days, and other transactions wait

/** Writes records of DERs of a site. Returns false when the site does not exist any more. */
export async function writeEntries(
  store: Store,
  siteId: string,
  entries: readonly Entry[],
  keptSince: number,
): Promise<boolean> {
  const days = [...byDay(entries)].sort(([one], [other]) => one - other);
  for (let first = 0; first < days.length; first += daysPerTransaction) {
    const some = days.slice(first, first + daysPerTransaction);
    const isThere = await store.write(async ({ db }) => {
      const ders = await listEnergyDers(db, siteId);
      if (ders.length === 0) return false;
      for (const [day, ofDay] of some) await writeDay(db, siteId, day, ofDay, { ders, keptSince });
      return true;
    });
    if (!isThere) return false;
  }
  return true;
}

type DayContext = { ders: EnergyDerRow[]; keptSince: number };

async function writeDay(
  db: Db,
  site_id: string,
  day: number,
  entries: readonly Entry[],
  { ders, keptSince }: DayContext,
): Promise<void> {
  const known = await readDerDays(db, site_id, day);
  const isKept = (of: number): boolean => (of + chainDays) * dayMs > keptSince;
  const save = (of: number, slot: number, derDay: DerDay): Promise<unknown> => {
    const body = packDerDay(derDay, { withChains: isKept(of) });
    return saveEnergyPart(db, { site_id, day: of, slot, totals: packDerTotals(derDay), body });
  };
  for (const entry of entries) {
    const { slot } = entry;
    const found = known.get(slot);
    const derDay = found ?? emptyDerDay();
    known.set(slot, derDay);
    if (!enter(derDay, day, entry)) continue;
    await save(day, slot, derDay);
    const der = ders.find((one) => one.slot === slot);
    const times = timesOf(derDay, day);
    if (der && times) {
      der.since = Math.min(der.since, times.first);
      der.last_at = Math.max(der.last_at, times.last);
      await widenEnergyDer(db, site_id, slot, times.first, times.last);
    }
    if (!found) await dropChains(db, site_id, slot, dayAt(keptSince) - chainDays, save);
  }
  const composed = compose(ders, known, day);
  await saveSiteDay(db, { site_id, day, totals: packSiteTotals(siteTotals(composed)), body: packSiteDay(composed) });
}

/** Returns the days of a site as they are with records that are not written yet. */
export async function readDays(
  db: Db,
  siteId: string,
  { from, to }: { from: number; to: number },
  unwritten: readonly Entry[],
): Promise<Map<number, SiteDay>> {
  const rows = await listSiteDays(db, siteId, from, to);
  const days = new Map(rows.map(({ day, body }) => [day, unpackSiteDay(body)]));
  for (const [day, fresh] of await composeUnwritten(db, siteId, unwritten))
    if (day >= from && day < to) days.set(day, fresh);
  return days;
}

/** Returns the days that records change which are not written yet. */
export async function composeUnwritten(
  db: Db,
  siteId: string,
  unwritten: readonly Entry[],
): Promise<Map<number, SiteDay>> {
  const composed = new Map<number, SiteDay>();
  if (unwritten.length === 0) return composed;
  const ders = await listEnergyDers(db, siteId);
  for (const day of byDay(unwritten).keys())
    composed.set(day, compose(ders, await overlay(db, siteId, day, unwritten, ders), day));
  return composed;
}

/** Returns the DERs of a day as they are with records that are not written yet. */
export async function overlay(
  db: Db,
  siteId: string,
  day: number,
  unwritten: readonly Entry[],
  ders: readonly EnergyDerRow[],
): Promise<Map<number, DerDay>> {
  const known = await readDerDays(db, siteId, day);
  for (const entry of byDay(unwritten).get(day) ?? []) {
    const derDay = known.get(entry.slot) ?? emptyDerDay();
    known.set(entry.slot, derDay);
    enter(derDay, day, entry);
    const der = ders.find(({ slot }) => slot === entry.slot);
    const times = timesOf(derDay, day);
    if (der && times) der.last_at = Math.max(der.last_at, times.last);
  }
  return known;
}

async function readDerDays(db: Db, siteId: string, day: number): Promise<Map<number, DerDay>> {
  const rows = await listEnergyParts(db, siteId, day);
  return new Map(rows.map(({ slot, body }) => [slot, unpackDerDay(body)]));
}

function compose(ders: readonly EnergyDerRow[], known: ReadonlyMap<number, DerDay>, day: number): SiteDay {
  const start = day * dayMs;
  const present = ders.flatMap(({ slot, der_type, device_type, since, last_at }) => {
    const life = { derType: der_type, deviceType: device_type, since, lastAt: last_at };
    return [{ ...life, day: known.get(slot) ?? nothing }];
  });
  return composeDay(present, start);
}

const nothing = emptyDerDay();

/** Enters records that know at least as many readings as the stored ones: another process may know more. */
function enter(derDay: DerDay, day: number, { from, to, records }: Entry): boolean {
  const first = day * quartersOfDay;
  const byQuarter = new Map(records.map((record) => [record.quarter, record]));
  let isChanged = false;
  for (let quarter = Math.max(from, first); quarter < Math.min(to, first + quartersOfDay); quarter++) {
    const record = byQuarter.get(quarter);
    const place = quarter - first;
    if ((record?.readings ?? 0) < derDay.readings[place]!) continue;
    putRecord(derDay, place, record);
    isChanged = true;
  }
  return isChanged;
}

/** Returns the times of the first and last reading of a day; the first is known to the quarter of an hour. */
function timesOf({ readings, chains }: DerDay, day: number): { first: number; last: number } | undefined {
  const firstPlace = readings.findIndex((count) => count > 0);
  const lastPlace = Math.max(...chains.keys());
  const last = chains.get(lastPlace)?.at;
  return firstPlace < 0 || last === undefined ? undefined : { first: day * dayMs + firstPlace * quarterMs, last };
}

/** Cuts entries at the limits of days. */
function byDay(entries: readonly Entry[]): Map<number, Entry[]> {
  const days = new Map<number, Entry[]>();
  for (const { slot, from, to, records } of entries) {
    const recordsOf = Map.groupBy(records, ({ quarter }) => dayOf(quarter));
    for (let day = dayOf(from); day <= dayOf(to - 1); day++) {
      const [first, end] = [day * quartersOfDay, (day + 1) * quartersOfDay];
      const cut = { slot, from: Math.max(from, first), to: Math.min(to, end), records: recordsOf.get(day) ?? [] };
      days.set(day, [...(days.get(day) ?? []), cut]);
    }
  }
  return days;
}

/** Drops the chain states of a day whose readings are deleted: nothing can be folded from them any more. */
async function dropChains(
  db: Db,
  siteId: string,
  slot: number,
  day: number,
  save: (day: number, slot: number, derDay: DerDay) => Promise<unknown>,
): Promise<void> {
  const [row] = await listDerDaysBefore(db, siteId, slot, day, 1);
  const old = row && unpackDerDay(row.body);
  if (row && old && old.chains.size > 0) await save(row.day, slot, old);
}

const daysAtOnce = 4;

/** Where a fold of stored readings starts: after a reading, or with a quarter. */
export type Start = { chain: ChainState } | { quarter: number };

/**
 * Returns where to start so that a quarter is folded again. Its first reading changes the end of the last quarter with
 * readings before it, so the chain state is that of an earlier one; without any, the fold starts with the first reading.
 */
export async function findStart(db: Db, { site_id, slot }: EnergyDerRow, before: number): Promise<Start | undefined> {
  let earliest: number | undefined; // quarter with readings that was passed
  for (let day = dayOf(before); ; ) {
    const rows = await listDerDaysBefore(db, site_id, slot, day, daysAtOnce);
    for (const row of rows) {
      const { readings, chains } = unpackDerDay(row.body);
      const first = row.day * quartersOfDay;
      for (let place = Math.min(quartersOfDay, before - first) - 1; place >= 0; place--) {
        const chain = earliest === undefined ? undefined : chains.get(place);
        if (chain) return { chain };
        if (readings[place]! > 0) earliest = first + place;
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < daysAtOnce) return earliest === undefined ? undefined : { quarter: earliest };
    day = last.day - 1;
  }
}

/** Returns the stored chain states of a DER on a day, by quarter. */
export async function readChains(
  db: Db,
  { site_id, slot }: EnergyDerRow,
  day: number,
): Promise<Map<number, ChainState>> {
  const [row] = await listDerDaysBefore(db, site_id, slot, day, 1);
  if (row?.day !== day) return new Map();
  return new Map(Array.from(unpackDerDay(row.body).chains, ([place, chain]) => [day * quartersOfDay + place, chain]));
}
