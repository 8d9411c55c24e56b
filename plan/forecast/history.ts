import { dayMs } from '#contract/time.ts';
import { offsetAt, wallAt } from '#contract/time-zone.ts';

/** Means over consecutive steps of equal length. NaN: unknown. */
export type History = { startMs: number; stepMs: number; values: ArrayLike<number> };

/** A span of time, ms. */
export type Span = { start: number; end: number };

/** Returns the mean over a span, NaN if less than half of it is known. */
export function meanOver({ startMs, stepMs, values }: History, { start, end }: Span): number {
  let [sum, known] = [0, 0];
  for (let i = Math.max(0, Math.floor((start - startMs) / stepMs)); startMs + i * stepMs < end; i++) {
    const value = i < values.length ? values[i]! : Number.NaN;
    if (Number.isNaN(value)) continue;
    const inside = Math.min(end, startMs + (i + 1) * stepMs) - Math.max(start, startMs + i * stepMs);
    sum += value * inside;
    known += inside;
  }
  return known * 2 >= end - start && known > 0 ? sum / known : Number.NaN;
}

export const endOf = ({ startMs, stepMs, values }: History): number => startMs + values.length * stepMs;

/** Returns the span at the same local time some days before. */
export function daysBefore({ start, end }: Span, days: number, timezone: string): Span {
  const shift = days * dayMs;
  const early = start - shift + offsetAt(timezone, start) - offsetAt(timezone, start - shift);
  return { start: early, end: early + end - start };
}

/** Returns the local day of the week; 0 is Sunday. */
export const weekdayAt = (timezone: string, ms: number): number => new Date(wallAt(timezone, ms)).getUTCDay();

export const isWeekend = (weekday: number): boolean => weekday === 0 || weekday === 6;

/** Returns the mean absolute difference of a forecast from what happened, over the steps that both have; NaN without any. */
export function meanAbsoluteError(forecast: ArrayLike<number>, actual: ArrayLike<number>): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < Math.min(forecast.length, actual.length); i++) {
    const difference = Math.abs(forecast[i]! - actual[i]!);
    if (Number.isNaN(difference)) continue;
    sum += difference;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}
