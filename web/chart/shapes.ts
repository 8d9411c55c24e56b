import uPlot from 'uplot';
import type { ChartSeries } from './series.ts';

type Paths = uPlot.Series.PathBuilder;

const straight = uPlot.paths.linear!();

/** Returns the drawing function of a series; the bar of a row ends at `endOf`. */
export function pathsOf({ kind, stack }: ChartSeries, endOf: (row: number) => number): Paths {
  if (kind === 'bars') return bars(endOf);
  if (!stack) return straight;
  return (plot, series, from, to) =>
    (isCrowded(plot.data[0], from, to, outlineMs(plot)) ? dense : straight)(plot, series, from, to);
}

const outlinePx = 8; // of closer values, the outlines of stacked layers would cover the peaks

/** Returns the shortest distance between values whose layers are drawn with an outline. */
const outlineMs = (plot: uPlot): number => plot.posToVal(outlinePx, 'x') - plot.posToVal(0, 'x');

/** Draws a layer without an outline; each column of pixels is as high as its peak. */
const dense: Paths = (plot, series, from, to) => {
  const fill = new Path2D();
  const scale = plot.series[series]?.scale ?? '';
  const { min = 0, max = 1 } = plot.scales.x ?? {};
  const { left, width } = plot.bbox;
  const perPixel = (max - min) / width;
  const columns: Columns = {
    of: (ms) => Math.floor(left + (ms - min) / perPixel),
    endOf: (column) => min + (column + 1 - left) * perPixel,
  };
  const y = (value: number): number => plot.valToPos(value, scale, true);
  for (const run of columnRanges(plot.data[0], plot.data[series] ?? [], from, to, columns)) {
    const [first, last] = [run[0], run.at(-1)];
    if (!first || !last) continue;
    fill.moveTo(first.column, y(0));
    for (const { column, low, high } of run) fill.lineTo(column, y(low < 0 ? low : high));
    fill.lineTo(last.column + 1, y(0));
    fill.closePath();
  }
  return { fill, stroke: null, clip: null, flags: 0 };
};

/** The lowest and highest value within one column of pixels. */
type ColumnRange = { column: number; low: number; high: number };

/** Converts between times and columns of pixels. */
type Columns = { of(ms: number): number; endOf(column: number): number };

/**
 * Returns the range of every column from row `from` to row `to`, as runs between gaps. A column includes the last value
 * of the column before it, so that a steep line has no holes.
 */
export function columnRanges(
  x: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  from: number,
  to: number,
  columns: Columns,
) {
  const runs: ColumnRange[][] = [];
  let run: ColumnRange[] | undefined;
  let range: ColumnRange | undefined;
  let last = 0;
  let end = Number.NEGATIVE_INFINITY; // of the column; saves looking up the column of most rows
  for (let row = from; row <= to; row++) {
    const [at, value] = [x[row], values[row]];
    if (at === undefined || value === null || value === undefined) {
      run = range = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    if (!range || at >= end) {
      const column = columns.of(at);
      const start = range && range.column + 1 === column ? last : value;
      range = { column, low: Math.min(value, start), high: Math.max(value, start) };
      end = columns.endOf(column);
      run.push(range);
    } else if (value < range.low) range.low = value;
    else if (value > range.high) range.high = value;
    last = value;
  }
  return runs;
}

/** Whether any two neighbours among the rows `from` to `to` are closer than `minMs`. */
export function isCrowded(x: ArrayLike<number>, from: number, to: number, minMs: number): boolean {
  let before = Number.NEGATIVE_INFINITY;
  for (let row = from; row <= to; row++) {
    const at = x[row];
    if (at === undefined) continue;
    if (at - before < minMs) return true;
    before = at;
  }
  return false;
}

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
