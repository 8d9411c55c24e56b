import type { PartKind, Step, TotalInterval } from '#contract/price/total.ts';
import { minuteMs } from '#contract/time.ts';
import { startOfDate } from '#contract/time-zone.ts';
import { addDays, type CalendarDay } from '../../chart/calendar.ts';

export type PriceScale = { low: number; high: number; ticks: number[]; digits: number };

const maxSteps = 4;

/** Returns a scale that includes zero and ends at round values. */
export function priceScale(slots: readonly PriceSlot[], shown: ShownPrice): PriceScale {
  const ends = slots.flatMap(({ interval }) => (interval ? blocksOf(interval, shown).map(({ to }) => to) : []));
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const step = roundStep((most - least) / maxSteps);
  const [first, last] = [Math.floor(tidy(least / step)), Math.max(Math.ceil(tidy(most / step)), 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, n) => tidy((first + n) * step));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return { low: tidy(first * step), high: tidy(last * step), ticks, digits };
}

const tidy = (value: number): number => Math.round(value * 1e9) / 1e9 + 0;

/** Rounds up to 1, 2, 5 or 10 times a power of ten. */
function roundStep(least: number): number {
  if (least <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(least));
  return tidy(size * ([1, 2, 5].find((factor) => size * factor >= least - 1e-9) ?? 10));
}

export type ShownPrice = 'total' | 'spot';

export const stepMsOf = (step: Step): number => (step === 'PT15M' ? 15 : 60) * minuteMs;

/** A step of the day; without an interval its price is unknown. */
export type PriceSlot = { start: number; end: number; interval?: TotalInterval | undefined };

/** Returns the steps that start in a day of 23, 24 or 25 hours. Steps are aligned to UTC, so not every midnight is one. */
export function slotsOf(
  day: CalendarDay,
  intervals: readonly TotalInterval[],
  stepMs: number,
  timeZone?: string,
): PriceSlot[] {
  const known = new Map(intervals.map((interval) => [Date.parse(interval.start), interval]));
  const end = startOfDate(timeZone, addDays(day, 1));
  const slots: PriceSlot[] = [];
  const first = Math.ceil(startOfDate(timeZone, day) / stepMs) * stepMs;
  for (let start = first; start < end; start += stepMs) {
    slots.push({ start, end: start + stepMs, interval: known.get(start) });
  }
  return slots;
}

/** A few hours of tomorrow belong to today's market day, so a day counts as published when most of it is known. */
export const isPublished = (slots: readonly PriceSlot[]): boolean =>
  slots.filter(({ interval }) => interval).length > slots.length / 2;

export type PriceWindow = { start: number; end: number };

export const windowOf = (slots: readonly PriceSlot[]): PriceWindow => ({
  start: Math.min(...slots.map(({ start }) => start)),
  end: Math.max(...slots.map(({ end }) => end)),
});

export const slotAt = (slots: readonly PriceSlot[], ms: number): PriceSlot | undefined =>
  slots.find(({ start, end }) => start <= ms && ms < end);

export const amountOf = ({ total, parts }: TotalInterval, shown: ShownPrice): number =>
  shown === 'total' ? total : (parts.find(({ kind }) => kind === 'spot')?.amount ?? 0);

type PricedSlot = PriceSlot & { amount: number };

/** Returns the cheapest and most expensive slot and the mean; the earliest of equal ones. */
export function extremesOf(
  slots: readonly PriceSlot[],
  shown: ShownPrice,
): { cheapest: PricedSlot; dearest: PricedSlot; mean: number } | undefined {
  const priced = slots.flatMap((slot) => (slot.interval ? [{ ...slot, amount: amountOf(slot.interval, shown) }] : []));
  if (priced.length === 0) return undefined;
  return {
    cheapest: priced.reduce((least, next) => (next.amount < least.amount ? next : least)),
    dearest: priced.reduce((most, next) => (next.amount > most.amount ? next : most)),
    mean: priced.reduce((sum, { amount }) => sum + amount, 0) / priced.length,
  };
}

export type PriceBlock = { kind: PartKind; from: number; to: number };

/** Stacks the components of a price; negative ones hang below zero. */
export function blocksOf(interval: TotalInterval, shown: ShownPrice): PriceBlock[] {
  const blocks: PriceBlock[] = [];
  let [top, bottom] = [0, 0];
  for (const [kind, amount] of sumByKind(interval)) {
    if (amount === 0 || (shown === 'spot' && kind !== 'spot')) continue;
    const from = amount > 0 ? top : bottom;
    blocks.push({ kind, from, to: from + amount });
    if (amount > 0) top += amount;
    else bottom += amount;
  }
  return blocks;
}

/** Whether a bar has parts above and below zero, so that its top is not the total. */
export const crossesZero = (blocks: readonly PriceBlock[]): boolean =>
  blocks.some(({ to }) => to < 0) && blocks.some(({ to }) => to > 0);

const order: readonly PartKind[] = ['spot', 'markup', 'grid_energy', 'energy_tax', 'vat'];

/** Returns the components that are shown, in stacking order. */
export function kindsIn(intervals: readonly TotalInterval[], shown: ShownPrice): PartKind[] {
  if (shown === 'spot') return ['spot'];
  return order.filter((kind) => intervals.some(({ parts }) => parts.some((part) => part.kind === kind)));
}

/** Adds up components of the same kind; a grid tariff may have several. */
export function sumByKind({ parts }: TotalInterval): Map<PartKind, number> {
  const sums = new Map<PartKind, number>();
  for (const { kind, amount } of parts) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  return sums;
}
