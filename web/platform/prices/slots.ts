import type { PartKind, TotalInterval } from '#contract/price/total.ts';
import { startOfDate } from '#contract/time-zone.ts';
import { addDays, type CalendarDay } from '../../chart/calendar.ts';

/** From where to where prices are drawn, and which are written beside them. */
export type PriceScale = { low: number; high: number; ticks: number[]; digits: number };

const mostSteps = 4;

/** Zero is always on it, and its ends are round. */
export function priceScale(slots: readonly Slot[], shown: Shown): PriceScale {
  const ends = slots.flatMap(({ interval }) => (interval ? blocksOf(interval, shown).map(({ to }) => to) : []));
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const step = roundStep((most - least) / mostSteps);
  const [first, last] = [Math.floor(tidy(least / step)), Math.max(Math.ceil(tidy(most / step)), 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => tidy((first + n) * step));
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

const tidy = (value: number): number => Math.round(value * 1e9) / 1e9 + 0;

/** The next of 1, 2, 5, 10 and so on. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(least));
  return tidy(size * [1, 2, 5, 10].find((factor) => size * factor >= least - 1e-9)!);
}

/** What of a price is drawn. */
export type Shown = 'total' | 'spot';

/** A step of the clock; without an interval its price is not known. */
export type Slot = { start: number; end: number; interval?: TotalInterval | undefined };

/** Every step that begins in a day, which has 23, 24 or 25 hours. Steps are those of UTC: not every midnight is one. */
export function slotsOf(
  day: CalendarDay,
  intervals: readonly TotalInterval[],
  stepMs: number,
  timeZone?: string,
): Slot[] {
  const known = new Map(intervals.map((interval) => [Date.parse(interval.start), interval]));
  const end = startOfDate(timeZone, addDays(day, 1));
  const slots: Slot[] = [];
  const first = Math.ceil(startOfDate(timeZone, day) / stepMs) * stepMs;
  for (let start = first; start < end; start += stepMs) {
    slots.push({ start, end: start + stepMs, interval: known.get(start) });
  }
  return slots;
}

/** Some hours of tomorrow are hours of a market day that is known; published it is when most are. */
export const isPublished = (slots: readonly Slot[]): boolean =>
  slots.filter(({ interval }) => interval).length > slots.length / 2;

export const slotAt = (slots: readonly Slot[], ms: number): Slot | undefined =>
  slots.find(({ start, end }) => start <= ms && ms < end);

export const amountOf = ({ total, parts }: TotalInterval, shown: Shown): number =>
  shown === 'total' ? total : (parts.find(({ kind }) => kind === 'spot')?.amount ?? 0);

type Priced = Slot & { amount: number };

/** The cheapest, the dearest and the mean; of equal ones the earliest. */
export function extremesOf(
  slots: readonly Slot[],
  shown: Shown,
): { cheapest: Priced; dearest: Priced; mean: number } | undefined {
  const priced = slots.flatMap((slot) => (slot.interval ? [{ ...slot, amount: amountOf(slot.interval, shown) }] : []));
  if (priced.length === 0) return undefined;
  return {
    cheapest: priced.reduce((least, next) => (next.amount < least.amount ? next : least)),
    dearest: priced.reduce((most, next) => (next.amount > most.amount ? next : most)),
    mean: priced.reduce((sum, { amount }) => sum + amount, 0) / priced.length,
  };
}

/** One colour of a bar, from one price to another. */
export type Block = { kind: PartKind; from: number; to: number };

/** The parts of a price on top of each other; those below zero hang from it. */
export function blocksOf(interval: TotalInterval, shown: Shown): Block[] {
  const blocks: Block[] = [];
  let [top, bottom] = [0, 0];
  for (const [kind, amount] of sums(interval)) {
    if (amount === 0 || (shown === 'spot' && kind !== 'spot')) continue;
    const from = amount > 0 ? top : bottom;
    blocks.push({ kind, from, to: from + amount });
    if (amount > 0) top += amount;
    else bottom += amount;
  }
  return blocks;
}

/** Whether parts stand on both sides of zero, so that the top of the bar is not its sum. */
export const hangs = (blocks: readonly Block[]): boolean =>
  blocks.some(({ to }) => to < 0) && blocks.some(({ to }) => to > 0);

const order: readonly PartKind[] = ['spot', 'markup', 'grid_energy', 'energy_tax', 'vat'];

/** The kinds of parts that are shown, in the order in which they stand on each other. */
export function kindsIn(intervals: readonly TotalInterval[], shown: Shown): PartKind[] {
  if (shown === 'spot') return ['spot'];
  return order.filter((kind) => intervals.some(({ parts }) => parts.some((part) => part.kind === kind)));
}

/** A grid tariff may have several parts of a kind. */
export function sums({ parts }: TotalInterval): Map<PartKind, number> {
  const sums = new Map<PartKind, number>();
  for (const { kind, amount } of parts) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  return sums;
}
