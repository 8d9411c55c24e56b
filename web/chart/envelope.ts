/** The lowest and highest value within one column of pixels. */
export type ColumnRange = { column: number; low: number; high: number };

/** Converts between times and columns of pixels. */
export type Columns = { of(ms: number): number; endOf(column: number): number };

type Data = ArrayLike<number | null | undefined>;

/**
 * Returns the range of every column from row `from` to row `to`, as runs between gaps. A column includes the last value
 * of the column before it, so that a steep line has no holes.
 */
export function columnRanges(x: ArrayLike<number>, values: Data, from: number, to: number, columns: Columns) {
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
