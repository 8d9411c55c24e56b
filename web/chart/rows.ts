import type { Values } from './series.ts';

export type Rows = {
  x: number[];
  /** null is a gap */
  columns: (number | null)[][];
  /** which of the given x a row is; undefined for one that only ends what is before it */
  sources: (number | undefined)[];
};

type Column = { values: Values; isStep: boolean };

/**
 * The rows to draw. Where the next x is further away than an x stands for, a row of gaps ends what is before it;
 * steps are drawn as long as they last.
 */
export function rowsOf(x: readonly number[], columns: readonly Column[], stepMs?: number): Rows {
  const rows: Rows = { x: [], columns: columns.map(() => []), sources: [] };
  const hasSteps = columns.some(({ isStep }) => isStep);
  const add = (at: number, source: number | undefined, pick: (column: Column) => number | undefined): void => {
    rows.x.push(at);
    rows.sources.push(source);
    columns.forEach((column, i) => void rows.columns[i]!.push(pick(column) ?? null));
  };
  x.forEach((at, i) => {
    add(at, i, ({ values }) => values[i]);
    if (stepMs === undefined) return;
    const end = at + stepMs;
    const next = x[i + 1];
    const isLast = next === undefined;
    if (!isLast && next - at < stepMs * gapFactor) return;
    if (hasSteps) add(end, undefined, ({ values, isStep }) => (isStep ? values[i] : undefined));
    if (!isLast) add(hasSteps ? (end + next) / 2 : end, undefined, () => undefined);
  });
  return rows;
}

const gapFactor = 1.5; // readings are a little late at times, and nothing is missing then

/** The row at a moment: the nearest, or with spans the one that has begun last; undefined before the first. */
export function rowAt(x: readonly number[], ms: number, isSpan: boolean): number | undefined {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  const before = low - 1;
  if (isSpan || low === x.length) return before < 0 ? undefined : before;
  if (before < 0) return low;
  return ms - x[before]! <= x[low]! - ms ? before : low;
}

/** The rows with a gap on either side, which no line would show. */
export function lonePoints(column: readonly (number | null)[]): number[] | null {
  const lone: number[] = [];
  column.forEach((value, row) => {
    const isAlone = value !== null && (column[row - 1] ?? null) === null && (column[row + 1] ?? null) === null;
    if (isAlone) lone.push(row);
  });
  return lone.length > 0 ? lone : null;
}
