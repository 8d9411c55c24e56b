import uPlot from 'uplot';
import type { ChartSeries } from './series.ts';

type Paths = uPlot.Series.PathBuilder;

const straight = uPlot.paths.linear!();

/** Returns the drawing function of a series; the bar of a row ends at `endOf`. */
export const pathsOf = ({ kind }: ChartSeries, endOf: (row: number) => number): Paths =>
  kind === 'bars' ? bars(endOf) : straight;

const outlinePx = 8; // between closer values, the outlines of stacked layers would cover the peaks

/** Whether the visible values are too close together for layers with an outline. */
export function isDense(plot: uPlot): boolean {
  const [from = 0, to = -1] = plot.series[0]?.idxs ?? [];
  return isCrowded(plot.data[0], from, to, plot.posToVal(outlinePx, 'x') - plot.posToVal(0, 'x'));
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
