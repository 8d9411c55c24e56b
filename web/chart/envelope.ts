/** What values do within one column of pixels. */
export type Reach = { column: number; low: number; high: number };

/** Where columns lie on the axis of time. */
export type Columns = { of(ms: number): number; endOf(column: number): number };

type Data = ArrayLike<number | null | undefined>;

/**
 * The reach of every column, in runs between the gaps. A column begins where its neighbour ended, so that a steep line
 * stays in one piece; between columns that lie apart there is a line.
 */
export function reachesOf(x: ArrayLike<number>, values: Data, from: number, to: number, columns: Columns): Reach[][] {
  const runs: Reach[][] = [];
  let run: Reach[] | undefined;
  let reach: Reach | undefined;
  let last = 0;
  let end = Number.NEGATIVE_INFINITY; // of the column, so that most rows need not be asked for theirs
  for (let row = from; row <= to; row++) {
    const value = values[row];
    if (value === null || value === undefined) {
      run = reach = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    if (!reach || x[row]! >= end) {
      const column = columns.of(x[row]!);
      const start = reach && reach.column + 1 === column ? last : value;
      reach = { column, low: Math.min(value, start), high: Math.max(value, start) };
      end = columns.endOf(column);
      run.push(reach);
    } else if (value < reach.low) reach.low = value;
    else if (value > reach.high) reach.high = value;
    last = value;
  }
  return runs;
}
