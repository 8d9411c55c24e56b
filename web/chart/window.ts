/** The part of a chart that is seen, ms. */
export type Window = { from: number; to: number };

/** The whole, and the least that can be seen of it. */
export type Limits = { whole: Window; leastMs: number };

const lengthOf = ({ from, to }: Window): number => to - from;

export const isWhole = (seen: Window, { whole }: Limits): boolean => seen.from <= whole.from && seen.to >= whole.to;

/** The same length as near as the whole allows. */
export function within({ from, to }: Window, { whole, leastMs }: Limits): Window {
  const length = Math.min(Math.max(to - from, leastMs), lengthOf(whole));
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(middle - length / 2, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

export const panned = (seen: Window, byMs: number, limits: Limits): Window =>
  within({ from: seen.from + byMs, to: seen.to + byMs }, limits);

/** Shows `factor` times as much, with the moment `at` where it was. */
export function zoomed(seen: Window, factor: number, at: number, limits: Limits): Window {
  const length = Math.min(Math.max(lengthOf(seen) * factor, limits.leastMs), lengthOf(limits.whole));
  const from = at - ((at - seen.from) / lengthOf(seen)) * length;
  return within({ from, to: from + length }, limits);
}

/** Moved just so far that a moment is seen. */
export function showing(seen: Window, at: number, limits: Limits): Window {
  if (at < seen.from) return panned(seen, at - seen.from, limits);
  return at > seen.to ? panned(seen, at - seen.to, limits) : seen;
}
