import { dateAt, instantOf } from '#contract/time-zone.ts';
import { addDays } from '../../chart/calendar.ts';

/** The next time at which the clocks show hh:mm, no sooner than `leastMs` from now. */
export function nextAt(time: string, nowMs: number, leastMs: number, timeZone?: string): number | undefined {
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return undefined;
  const earliest = nowMs + leastMs;
  const today = dateAt(timeZone, earliest);
  const on = (days: number): number => instantOf(timeZone, Date.parse(`${addDays(today, days)}T${time}:00Z`));
  return on(0) >= earliest ? on(0) : on(1);
}
