import { isSubMeter } from '#contract/balance.ts';
import { type DeviceEnergy, quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { listDerTotals, listEnergyDers, listNamedDers } from '../store/energy.ts';
import type { Db } from '../store/engine.ts';
import { dayAt, type Entry, overlay } from './book.ts';
import { type DerTotals, derTotals, unpackDerTotals } from './codec.ts';
import { coverage } from './report.ts';
import { quartersOfDay } from './site-day.ts';

type Range = { from: number; to: number; now: number };

/** Returns the energy of each DER of a site in a range, the largest first. */
export async function readDeviceEnergy(
  db: Db,
  siteId: string,
  { from, to, now }: Range,
  unwritten: readonly Entry[],
): Promise<DeviceEnergy[]> {
  const ders = await listEnergyDers(db, siteId);
  const names = new Map((await listNamedDers(db, siteId)).map((der) => [der.no, der]));
  const sums = new Map<number, DerTotals>();
  const add = (slot: number, more: DerTotals): void => {
    const known = sums.get(slot) ?? { in: 0, out: 0, estimated: 0, coveredMs: 0 };
    for (const name of ['in', 'out', 'estimated', 'coveredMs'] as const) known[name] += more[name];
    sums.set(slot, known);
  };
  const [first, last] = [dayAt(from), dayAt(to - 1)];
  const partial = new Set<number>(
    unwritten.flatMap(({ records }) => records.map(({ quarter }) => dayAt(quarter * quarterMs))),
  );
  if (from % dayMs !== 0) partial.add(first);
  if (to % dayMs !== 0) partial.add(last);
  for (const { day, slot, totals } of await listDerTotals(db, siteId, first, last + 1)) {
    if (!partial.has(day)) add(slot, unpackDerTotals(totals));
  }
  for (const day of partial) {
    const begin = Math.max(0, (from - day * dayMs) / quarterMs);
    const end = Math.min(quartersOfDay, (to - day * dayMs) / quarterMs);
    if (begin >= end) continue;
    for (const [slot, values] of await overlay(db, siteId, day, unwritten, ders))
      add(slot, derTotals(values, begin, end));
  }
  return ders
    .flatMap(({ slot, der_no, der_type, device_type }): DeviceEnergy[] => {
      const sum = sums.get(slot);
      if (!sum) return [];
      const named = der_no === null ? undefined : names.get(der_no);
      return [
        {
          device_id: named?.device_id ?? null,
          der_id: named?.der_id ?? null,
          name: named?.name ?? null,
          kind: isSubMeter(der_type, device_type) ? 'sub_meter' : der_type,
          in_wh: Math.round(sum.in / 1000),
          out_wh: Math.round(sum.out / 1000),
          estimated_wh: Math.round(sum.estimated / 1000),
          coverage_pct: coverage(sum.coveredMs, Math.min(to, now) - from),
        },
      ];
    })
    .sort((one, other) => other.in_wh + other.out_wh - one.in_wh - one.out_wh);
}
