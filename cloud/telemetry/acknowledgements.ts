/** The numbers as inclusive ranges, the way a gateway is told what it may forget. */
export function rangesOf(seqs: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && seq <= last[1] + 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}
