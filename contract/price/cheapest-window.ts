/** Finds the cheapest run of adjacent intervals; a gap in the prices ends a run. */
export function cheapestWindow<Interval extends { start: number; end: number; total: number }>(
  intervals: readonly Interval[],
  length: number,
): Interval[] | undefined {
  let best: { first: number; sum: number } | undefined;
  let run = 0;
  let sum = 0;
  let previousEnd: number | undefined;
  for (const [i, { total, start, end }] of intervals.entries()) {
    if (previousEnd !== start) {
      run = 0;
      sum = 0;
    }
    previousEnd = end;
    run += 1;
    sum += total;
    if (run > length) sum -= intervals[i - length]!.total;
    if (run >= length && (!best || sum < best.sum)) best = { first: i - length + 1, sum };
  }
  return best && intervals.slice(best.first, best.first + length);
}
