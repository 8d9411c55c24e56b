import { dayMs, minuteMs, parseTime } from '#contract/time.ts';
import { instantOf as instantOfWall, offsetAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { startOfLocalDay } from '#lib/local-day.ts';
import { UsageError } from './command.ts';
import { parseDuration } from './quantity.ts';

export type Moment = { now: number; timeZone: string };

export const pastTimeFormats = 'today, yesterday, 2026-01-31, 6h or 7d (before now), or RFC 3339';

/** Parses a time in the past, in ms; returns undefined if invalid. Durations count back from now. */
export function parsePastTime(text: string, { now, timeZone }: Moment): number | undefined {
  if (text === 'now') return now;
  if (text === 'today') return startOfLocalDay(timeZone, now);
  if (text === 'yesterday') return startOfLocalDay(timeZone, startOfLocalDay(timeZone, now) - 1);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text))
    return parseTime(`${text}T00:00:00Z`) === undefined ? undefined : startOfDate(timeZone, text);
  const agoS = parseDuration(text);
  return agoS === undefined ? parseTime(text) : now - agoS * 1000;
}

export const futureTimeFormats = 'tomorrow, 07:00 (the next one), 8h (from now), 2026-01-31, or RFC 3339';

/** Parses a time in the future, in ms; returns undefined if invalid. Durations count from now. */
export function parseFutureTime(text: string, moment: Moment): number | undefined {
  const { now, timeZone } = moment;
  const today = startOfLocalDay(timeZone, now);
  const nextDay = startOfLocalDay(timeZone, today + 1.5 * dayMs);
  if (text === 'tomorrow') return nextDay;
  const durationS = parseDuration(text);
  if (durationS !== undefined) return now + durationS * 1000;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (!hours) return parsePastTime(text, moment);
  const on = (day: number): number =>
    instantOfWall(timeZone, wallAt(timeZone, day) + (Number(hours) * 60 + Number(minutes)) * minuteMs);
  return on(today) > now ? on(today) : on(nextDay);
}

/** Formats a local time as `2026-01-31 09:05`; on a day when the clocks change, as `2026-10-25 02:05+01:00`. */
export const formatLocalTime = (timeZone: string, ms: number): string =>
  `${new Date(wallAt(timeZone, ms)).toISOString().slice(0, 16).replace('T', ' ')}${changeDayOffset(timeZone, ms)}`;

/** Formats a local time as `09:05:07`; on a day when the clocks change, as `02:05:07+01:00`. */
export const formatClockTime = (timeZone: string, ms: number): string =>
  `${new Date(wallAt(timeZone, ms)).toISOString().slice(11, 19)}${changeDayOffset(timeZone, ms)}`;

/** Returns the UTC offset on a day when the clocks change, since a local time can then occur twice; else ''. */
export function changeDayOffset(timeZone: string, ms: number): string {
  const start = startOfLocalDay(timeZone, ms);
  const next = startOfLocalDay(timeZone, start + 1.5 * dayMs);
  if (offsetAt(timeZone, start) === offsetAt(timeZone, next)) return '';
  const minutes = offsetAt(timeZone, ms) / minuteMs;
  const size = Math.abs(minutes);
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}

export const machineTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Parses --from and --to. The default is the last 24 hours. */
export function parseRange(
  given: { from: string | undefined; to: string | undefined },
  moment: Moment,
): { from: number; to: number } {
  const read = (name: 'from' | 'to', usual: number): number => {
    const text = given[name];
    const ms = text === undefined ? usual : parsePastTime(text, moment);
    if (ms === undefined) throw new UsageError(`--${name} is not a valid time. Use ${pastTimeFormats}.`);
    return ms;
  };
  const to = read('to', moment.now);
  const from = read('from', to - dayMs);
  if (from >= to) throw new UsageError('--from must be before --to.');
  return { from, to };
}
