import { rowAt } from './rows.ts';
import { type Limits, type Window, zoomed } from './window.ts';

type Place = { x: readonly number[]; pointed: number | undefined; seen: Window; limits: Limits };

/** What a key does: another value is pointed at, or another part is seen. */
export type KeyStep = { index?: number; seen?: Window };

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };
const zooms: Record<string, number> = { '+': 0.5, '=': 0.5, '-': 2 };

export function keyStep({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, place: Place): KeyStep | undefined {
  const { x, pointed, seen, limits } = place;
  if (ctrlKey || metaKey || altKey || x.length === 0) return undefined;
  const last = x.length - 1;
  const by = steps[key];
  if (by !== undefined) return { index: pointed === undefined ? firstSeen(place, by) : clamp(pointed + by, last) };
  if (key === 'Home') return { index: 0 };
  if (key === 'End') return { index: last };
  if (key === '0' || key === 'Escape') return { seen: limits.whole };
  const factor = zooms[key];
  if (factor === undefined) return undefined;
  const at = pointed === undefined ? (seen.from + seen.to) / 2 : x[pointed]!;
  return { seen: zoomed(seen, factor, at, limits) };
}

/** Where reading begins: at the left when going right, at the right when going left. */
function firstSeen({ x, seen }: Place, by: number): number {
  return clamp(rowAt(x, by > 0 ? seen.from : seen.to, false) ?? 0, x.length - 1);
}

const clamp = (index: number, last: number): number => Math.min(Math.max(index, 0), last);
