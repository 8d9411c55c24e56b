import type uPlot from 'uplot';
import { dayMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { month, number, percent, shortDay, timeOfDay, timeWithSeconds, year } from '../parts/text.ts';
import type { Colours } from './colours.ts';
import type { ChartData, ChartSeries } from './series.ts';
import { type TimeTicks, timeTicks } from './time-ticks.ts';

const tickPx = 58; // the width of one time label
const marginPx = 14;

type AxisOptions = Pick<ChartData, 'format' | 'timeZone'> & { colours: Colours; font: string; isMirrored: boolean };

export function timeAxis({ colours, font, timeZone }: AxisOptions): uPlot.Axis {
  let last: TimeTicks = { grain: 'day', ticks: [] };
  return {
    stroke: () => colours.of('ink-soft'),
    font,
    size: 30,
    grid: { stroke: () => colours.of('line'), width: 1 },
    ticks: { show: false },
    splits: (plot, _axis, from, to) => {
      last = timeTicks(from, to, plot.bbox.width / devicePixelRatio / tickPx, timeZone);
      return last.ticks;
    },
    values: (_plot, ticks) => ticks.map((tick) => timeText(tick, last.grain, timeZone)),
  };
}

function timeText(ms: number, grain: TimeTicks['grain'], timeZone: string | undefined): string {
  if (grain === 'month') return month(ms, timeZone);
  if (grain === 'year') return year(ms, timeZone);
  const isMidnight = wallAt(timeZone, ms) % dayMs === 0;
  if (grain === 'day' || isMidnight) return shortDay(ms, timeZone);
  return grain === 'second' ? timeWithSeconds(ms, timeZone) : timeOfDay(ms, timeZone);
}

/** Returns the axis of a unit. The first unit has its axis on the left, with grid lines. */
export function valueAxis(unit: string, index: number, { colours, font, format, isMirrored }: AxisOptions): uPlot.Axis {
  return {
    scale: unit,
    side: index === 0 ? 3 : 1,
    stroke: () => colours.of('ink-soft'),
    font,
    gap: 6,
    grid: { show: index === 0, stroke: () => colours.of('line'), width: 1 },
    ticks: { show: false },
    size: (plot, texts) => {
      plot.ctx.font = font;
      return Math.max(0, ...(texts ?? []).map((text) => plot.ctx.measureText(text).width)) + marginPx;
    },
    values: (_plot, ticks, _axis, _space, increment) => {
      const shown = isMirrored ? ticks.map(Math.abs) : ticks;
      return tickTexts(shown, increment, unit) ?? shown.map((tick) => format(tick, unit));
    },
  };
}

const padding = 0.08; // above the highest and below the lowest value, so that lines stay visible

/** Returns the range of an axis. Filled shapes and powers include zero; a fraction always runs from 0 to 1. */
export function valueRange(
  min: number | null,
  max: number | null,
  unit: string,
  kinds: readonly ChartSeries['kind'][],
): [number, number] {
  if (unit === '%') return [0, 1];
  if (min === null || max === null) return [0, 1];
  const isFilled = kinds.some((kind) => kind === 'area' || kind === 'bars');
  const isPower = unit === 'W' || unit === 'Wh';
  const low = isFilled || isPower ? Math.min(0, min) : min;
  const high = isFilled || isPower ? Math.max(0, max) : max;
  if (low === high) return low === 0 ? [0, 1] : [low - Math.abs(low) * padding, high + Math.abs(high) * padding];
  const pad = (high - low) * padding;
  return [low === 0 ? 0 : low - pad, high === 0 ? 0 : high + pad];
}

type Prefix = { factor: number; prefix: string; from?: number };

const prefixes: Prefix[] = [
  { factor: 1e9, prefix: 'G' },
  { factor: 1e6, prefix: 'M' },
  { factor: 1000, prefix: 'k' },
];

const prefixed: Record<string, readonly Prefix[]> = {
  W: prefixes,
  Wh: prefixes.map((each) => (each.prefix === 'M' ? { ...each, from: 1e8 } : each)), // as `energy` writes it
};
const plain = ['V', 'A', 'Hz', '°C'];

/** Returns short labels with the same prefix and number of digits; undefined for a unit with its own format. */
export function tickTexts(ticks: readonly number[], increment: number, unit: string): string[] | undefined {
  if (unit === '%') return ticks.map((tick) => percent(tick, digitsOf(increment * 100)));
  if (plain.includes(unit)) return ticks.map((tick) => `${number(tick, digitsOf(increment))} ${unit}`);
  const known = prefixed[unit];
  if (!known) return undefined;
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const { factor, prefix } = known.find((each) => largest >= (each.from ?? each.factor)) ?? { factor: 1, prefix: '' };
  return ticks.map((tick) => `${number(tick / factor, digitsOf(increment / factor))} ${prefix}${unit}`);
}

/** Returns the number of decimals that distinguishes neighbouring ticks. */
const digitsOf = (increment: number): number =>
  [0, 1, 2, 3].find((digits) => Math.abs(increment * 10 ** digits - Math.round(increment * 10 ** digits)) < 1e-6) ?? 4;
