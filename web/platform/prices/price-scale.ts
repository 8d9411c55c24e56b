import { blocksOf, type Shown, type Slot } from './slots.ts';

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
