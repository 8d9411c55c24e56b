import type { ChartSeries, Values } from './series.ts';

export type Rows = {
  x: number[];
  /** null is a gap */
  columns: (number | null)[][];
  /** the index of the given x; undefined for a row that only ends the row before it */
  sources: (number | undefined)[];
};

const gapFactor = 1.5; // a reading that is a little late is not a gap

/** Returns the rows to draw. Where the next x is further away than `stepMs`, a row of gaps follows. */
export function rowsOf(x: readonly number[], columns: readonly Values[], stepMs = Number.POSITIVE_INFINITY): Rows {
  const rows = x.flatMap((at, source): { at: number; source?: number }[] => {
    const next = x[source + 1];
    const isGap = next !== undefined && next - at >= stepMs * gapFactor;
    return isGap ? [{ at, source }, { at: at + stepMs }] : [{ at, source }];
  });
  return {
    x: rows.map(({ at }) => at),
    columns: columns.map((values) => rows.map(({ source = -1 }) => values[source] ?? null)),
    sources: rows.map(({ source }) => source),
  };
}

/** Returns the row at a time: the nearest, or with `isSpan` the last that has begun; undefined before the first. */
export function rowAt(x: readonly number[], ms: number, isSpan: boolean): number | undefined {
  const after = firstWhere(x, (at) => at > ms);
  const before = after - 1;
  const [last, next] = [x[before], x[after]];
  if (last === undefined) return isSpan || next === undefined ? undefined : after;
  if (isSpan || next === undefined) return before;
  return ms - last <= next - ms ? before : after;
}

/** Returns the index of the first x for which this is true, by binary search; it is then true for all later ones. */
export function firstWhere(x: readonly number[], isSo: (at: number) => boolean): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(x[middle] ?? Number.POSITIVE_INFINITY)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the rows with a gap on both sides, which a line would not show. */
export function lonePoints(column: readonly (number | null)[]): number[] | null {
  const lone: number[] = [];
  column.forEach((value, row) => {
    const isAlone = value !== null && (column[row - 1] ?? null) === null && (column[row + 1] ?? null) === null;
    if (isAlone) lone.push(row);
  });
  return lone.length > 0 ? lone : null;
}

/**
 * Returns the heights at which series are drawn. Stacked series lie on top of each other, positive values above zero
 * and negative values below. Hidden series and missing values have no height.
 */
export function stackedHeights(series: readonly ChartSeries[], isHidden: (name: string) => boolean): Values[] {
  const above: number[] = [];
  const below: number[] = [];
  return series.map(({ name, values, stack }) => {
    if (isHidden(name)) return values.map(() => undefined);
    if (!stack) return values;
    const isNegative = !values.some((value) => value !== undefined && value > 0);
    return values.map((value, i) => {
      if (value === undefined) return undefined;
      const pile = value < 0 || (value === 0 && isNegative) ? below : above;
      const height = (pile[i] ?? 0) + value;
      pile[i] = height;
      return height;
    });
  });
}

/** Returns the order in which series are drawn: stacked ones from the top down, so that each covers the one above; then lines. */
export function paintOrder(series: readonly ChartSeries[]): number[] {
  const indexes = [...series.entries()];
  const stacked = indexes.filter(([, { stack }]) => stack).reverse();
  return [...stacked, ...indexes.filter(([, { stack }]) => !stack)].map(([index]) => index);
}
