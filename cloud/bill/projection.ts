import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { GridFlow } from './quarters.ts';

/** Days of the ledger that a projection looks at. */
export const projectedFromDays = 49; // contains 14 days of a weekend

const maxDays = 14;
const quartersOfDay = 96;
const minMeasuredS = 12 * 3600;

type Kind = 'weekday' | 'weekend';

const kindOf = (day: number): Kind => ((day + 3) % 7 >= 5 ? 'weekend' : 'weekday'); // the epoch was a Thursday

/** The mean energy of some days, by the local quarter of an hour. */
class MeanDay {
  readonly #imported = new Float64Array(quartersOfDay);
  readonly #exported = new Float64Array(quartersOfDay);
  readonly #counts = new Uint32Array(quartersOfDay);
  days = 0;

  add(quarter: number, imported: number, exported: number): void {
    this.#imported[quarter]! += imported;
    this.#exported[quarter]! += exported;
    this.#counts[quarter]! += 1;
  }

  at(quarter: number): { imported: number; exported: number } {
    const count = Math.max(1, this.#counts[quarter]!);
    return { imported: this.#imported[quarter]! / count, exported: this.#exported[quarter]! / count };
  }
}

/**
 * Assumes the energy from the end of the known quarters until an instant: each quarter is the mean of the same local
 * quarter of the last days of the same kind, weekday or weekend, that were measured for at least half of the time.
 */
export function projectFlow(known: SiteQuarters, to: number, timeZone: string): { flow: GridFlow; assumed: string } {
  const means = meanDays(known, timeZone);
  const length = (to - known.to) / quarterMs;
  const [imported, exported] = [new Float64Array(length), new Float64Array(length)];
  for (let i = 0; i < length; i++) {
    const { day, quarter } = localQuarter(timeZone, known.to + i * quarterMs);
    const kind = kindOf(day);
    const mean = means[kind].days > 0 ? means[kind] : means[kind === 'weekday' ? 'weekend' : 'weekday'];
    const value = mean.at(quarter);
    imported[i] = value.imported;
    exported[i] = value.exported;
  }
  const { weekday, weekend } = means;
  const assumed =
    weekday.days + weekend.days === 0
      ? 'No recent day was measured, so the remaining time is assumed to use no energy.'
      : `The remaining time is assumed to use as much energy as the last measured days (${weekday.days} weekdays, ${weekend.days} days of weekends).`;
  return { flow: { from: known.to, imported, exported }, assumed };
}

function localQuarter(timeZone: string, ms: number): { day: number; quarter: number } {
  const wall = wallAt(timeZone, ms);
  const day = Math.floor(wall / dayMs);
  return { day, quarter: Math.floor((wall - day * dayMs) / quarterMs) };
}

/** Averages the last complete days of each kind. */
function meanDays({ from, to, series, coveredS, estimated }: SiteQuarters, timeZone: string): Record<Kind, MeanDay> {
  const means: Record<Kind, MeanDay> = { weekday: new MeanDay(), weekend: new MeanDay() };
  const byDay = new Map<number, { first: number; last: number; measuredS: number }>();
  for (let i = 0; i < coveredS.length; i++) {
    const { day } = localQuarter(timeZone, from + i * quarterMs);
    const found = byDay.get(day) ?? { first: i, last: i, measuredS: 0 };
    found.last = i;
    found.measuredS += estimated[i]! > 0 ? quarterMs / 1000 : coveredS[i]!;
    byDay.set(day, found);
  }
  byDay.delete(localQuarter(timeZone, to - 1).day); // not over
  for (const [day, { first, last, measuredS }] of [...byDay].reverse()) {
    const mean = means[kindOf(day)];
    if (measuredS < minMeasuredS || mean.days === maxDays) continue;
    mean.days += 1;
    for (let i = first; i <= last; i++) {
      const { quarter } = localQuarter(timeZone, from + i * quarterMs);
      mean.add(quarter, series.import[i]!, series.export[i]!);
    }
  }
  return means;
}
