import type uPlot from 'uplot';
import { dayMs } from '#contract/time.ts';
import { wallAt } from '#contract/time-zone.ts';
import { month, number, secondOfDay, shortDay, timeOfDay, year } from '../parts/format.ts';
import type { Colours } from './colours.ts';
import type { ChartData } from './series.ts';
import { tickTexts } from './tick-text.ts';
import { type TimeTicks, timeTicks } from './time-ticks.ts';

const tickPx = 58; // the room that one time needs
const marginPx = 14;

type Given = Pick<ChartData, 'format' | 'timeZone'> & { colours: Colours; font: string; isMirrored: boolean };

export function timeAxis({ colours, font, timeZone }: Given): uPlot.Axis {
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
  return grain === 'second' ? secondOfDay(ms, timeZone) : timeOfDay(ms, timeZone);
}

/** The axis of a unit: that of the first unit is on the left and has the lines across. */
export function valueAxis(unit: string, place: number, { colours, font, format, isMirrored }: Given): uPlot.Axis {
  return {
    scale: unit,
    side: place === 0 ? 3 : 1,
    stroke: () => colours.of('ink-soft'),
    font,
    gap: 6,
    grid: { show: place === 0, stroke: () => colours.of('line'), width: 1 },
    ticks: { show: false },
    size: (plot, texts) => {
      plot.ctx.font = font;
      return Math.max(0, ...(texts ?? []).map((text) => plot.ctx.measureText(text).width)) + marginPx;
    },
    values: (_plot, ticks, _axis, _space, increment) => {
      const shown = isMirrored ? ticks.map(Math.abs) : ticks;
      return tickTexts(shown, increment, unit, number) ?? shown.map((tick) => format(tick, unit));
    },
  };
}
