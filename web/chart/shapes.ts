import uPlot from 'uplot';
import { type ColumnRange, type Columns, columnRanges, isCrowded } from './envelope.ts';
import type { ChartSeries } from './series.ts';

type Paths = uPlot.Series.PathBuilder;

const straight = uPlot.paths.linear!();

/** Returns the drawing function of a series; the bar of a row ends at `endOf`. */
export function pathsOf({ kind, stack }: ChartSeries, endOf: (row: number) => number): Paths {
  if (kind === 'bars') return bars(endOf);
  const dense = kind === 'area' ? denseArea : denseLine;
  return (plot, series, from, to) => {
    // With more values than pixels, filling the range of each column looks the same as the line and is much faster.
    const isDense = to - from > plot.bbox.width || (stack && isCrowded(plot.data[0], from, to, outlineMs(plot)));
    return (isDense ? dense : straight)(plot, series, from, to);
  };
}

const outlinePx = 8; // of closer values, the outlines of stacked layers would cover the peaks

/** Returns the shortest distance between values whose layers are drawn with an outline. */
const outlineMs = (plot: uPlot): number => plot.posToVal(outlinePx, 'x') - plot.posToVal(0, 'x');

/** Calls `draw` for each run between gaps, in pixels of the canvas. */
function eachRun(plot: uPlot, series: number, [from, to]: [number, number], draw: (run: ColumnRange[]) => void): void {
  const x = plot.data[0];
  const scale = plot.series[series]?.scale ?? '';
  const { min = 0, max = 1 } = plot.scales.x ?? {};
  const { left, width } = plot.bbox;
  const perPixel = (max - min) / width;
  const columns: Columns = {
    of: (ms) => Math.floor(left + (ms - min) / perPixel),
    endOf: (column) => min + (column + 1 - left) * perPixel,
  };
  const y = (value: number): number => plot.valToPos(value, scale, true);
  for (const run of columnRanges(x, plot.data[series] ?? [], from, to, columns)) {
    draw(run.map(({ column, low, high }) => ({ column, low: y(low), high: y(high) })));
  }
}

const thinPx = 1.5;

const denseLine: Paths = (plot, series, from, to) => {
  const fill = new Path2D();
  const half = (thinPx * devicePixelRatio) / 2;
  eachRun(plot, series, [from, to], (run) => {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) return;
    fill.moveTo(first.column, first.high - half);
    for (const { column, high } of run) fill.lineTo(column + 0.5, high - half);
    fill.lineTo(last.column + 1, last.high - half);
    fill.lineTo(last.column + 1, last.low + half);
    for (const { column, low } of run.reverse()) fill.lineTo(column + 0.5, low + half);
    fill.lineTo(first.column, first.low + half);
    fill.closePath();
  });
  const style: (uPlot.Series & { _stroke?: string }) | undefined = plot.series[series];
  return { fill, stroke: null, clip: null, flags: 0, ...(style?._stroke && { _fill: style._stroke }) };
};

const denseArea: Paths = (plot, series, from, to) => {
  const fill = new Path2D();
  const zero = plot.valToPos(0, plot.series[series]?.scale ?? '', true);
  eachRun(plot, series, [from, to], (run) => {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) return;
    fill.moveTo(first.column, zero);
    for (const { column, low, high } of run) fill.lineTo(column, low > zero ? low : high);
    fill.lineTo(last.column + 1, zero);
    fill.closePath();
  });
  return { fill, stroke: null, clip: null, flags: 0 };
};

const gapPx = 1;

function bars(endOf: (row: number) => number): Paths {
  return (plot, series, from, to) => {
    const [x, heights] = [plot.data[0], plot.data[series] ?? []];
    const scale = plot.series[series]?.scale ?? '';
    const zero = plot.valToPos(0, scale, true);
    const fill = new Path2D();
    for (let row = from; row <= to; row++) {
      const [at, height] = [x[row], heights[row]];
      if (at === undefined || !height) continue;
      const left = Math.round(plot.valToPos(at, 'x', true));
      const right = Math.round(plot.valToPos(endOf(row), 'x', true));
      const end = plot.valToPos(height, scale, true);
      fill.rect(left + gapPx, Math.min(end, zero), Math.max(1, right - left - 2 * gapPx), Math.abs(end - zero));
    }
    return { fill, stroke: null, clip: null, flags: 0 };
  };
}
