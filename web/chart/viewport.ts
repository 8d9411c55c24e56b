import { rowAt } from './rows.ts';

/** The visible part of a chart, in ms. */
export type Viewport = { from: number; to: number };

/** The whole chart and the smallest visible part of it. */
export type ViewportLimits = { whole: Viewport; minMs: number };

const lengthOf = ({ from, to }: Viewport): number => to - from;

export const isWhole = (seen: Viewport, { whole }: ViewportLimits): boolean =>
  seen.from <= whole.from && seen.to >= whole.to;

/** Moves and resizes a viewport as little as needed to be within the limits. */
export function within({ from, to }: Viewport, { whole, minMs }: ViewportLimits): Viewport {
  const length = Math.min(Math.max(to - from, minMs), lengthOf(whole));
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(middle - length / 2, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

export const panned = (seen: Viewport, byMs: number, limits: ViewportLimits): Viewport =>
  within({ from: seen.from + byMs, to: seen.to + byMs }, limits);

/** Makes the viewport `factor` times as long and keeps the time `at` at the same position. */
export function zoomed(seen: Viewport, factor: number, at: number, limits: ViewportLimits): Viewport {
  const length = Math.min(Math.max(lengthOf(seen) * factor, limits.minMs), lengthOf(limits.whole));
  const from = at - ((at - seen.from) / lengthOf(seen)) * length;
  return within({ from, to: from + length }, limits);
}

/** Moves the viewport just far enough to make a time visible. */
export function showing(seen: Viewport, at: number, limits: ViewportLimits): Viewport {
  if (at < seen.from) return panned(seen, at - seen.from, limits);
  return at > seen.to ? panned(seen, at - seen.to, limits) : seen;
}

type ChartPosition = { x: readonly number[]; pointed: number | undefined; seen: Viewport; limits: ViewportLimits };

/** The effect of a key: `index` is the value to point at, `seen` the new viewport. */
type KeyStep = { index?: number; seen?: Viewport };

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
const zooms: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2 };

export function keyStep(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  { x, pointed, seen, limits }: ChartPosition,
): KeyStep | undefined {
  if (ctrlKey || metaKey || altKey || x.length === 0) return undefined;
  const last = x.length - 1;
  const by = steps[key];
  if (by !== undefined) {
    // Reading starts at the left edge when going right, and at the right edge when going left.
    const index = pointed === undefined ? (rowAt(x, by > 0 ? seen.from : seen.to, false) ?? 0) : pointed + by;
    return { index: Math.min(Math.max(index, 0), last) };
  }
  if (key === 'Home') return { index: 0 };
  if (key === 'End') return { index: last };
  if (key === '0' || key === 'Escape') return { seen: limits.whole };
  const factor = zooms[key];
  if (factor === undefined) return undefined;
  const at = (pointed === undefined ? undefined : x[pointed]) ?? (seen.from + seen.to) / 2;
  return { seen: zoomed(seen, factor, at, limits) };
}
