// The clocks of a time zone, by Intl alone. A wall time is what a clock shows, counted as if it were UTC.
const dayMs = 86_400_000;

/** A day of the calendar, as 2026-03-29. */
export type CalendarDay = string;

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const options = { ...numeric, second: 'numeric', hourCycle: 'h23', ...(timeZone && { timeZone }) } as const;
  const format = new Intl.DateTimeFormat('en-US', options);
  formats.set(timeZone, format);
  return format;
}

/** What the clocks of a zone show at an instant; without a zone those of this machine. */
export function wallOf(ms: number, timeZone?: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name)!;
  const seconds = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return seconds + (((ms % 1000) + 1000) % 1000);
}

/** When the clocks first show a wall time; when they skip it, the moment at which they skip. */
export function instantOf(wallMs: number, timeZone?: string): number {
  const around = [wallMs - dayMs, wallMs + dayMs].map((ms) => wallMs - (wallOf(ms, timeZone) - ms));
  const shown = around.filter((ms) => wallOf(ms, timeZone) === wallMs);
  return shown.length > 0 ? Math.min(...shown) : skipBetween(Math.min(...around), Math.max(...around), timeZone);
}

/** The moment at which the clocks are put forward. */
function skipBetween(from: number, to: number, timeZone: string | undefined): number {
  const offsetAt = (ms: number): number => wallOf(ms, timeZone) - ms;
  const old = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

export const dayOf = (ms: number, timeZone?: string): CalendarDay =>
  new Date(wallOf(ms, timeZone)).toISOString().slice(0, 10);

/** The first instant of a day; in some zones the clocks skip midnight. */
export const startOfDay = (day: CalendarDay, timeZone?: string): number =>
  instantOf(Date.parse(`${day}T00:00:00Z`), timeZone);

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && dayFrom(Date.parse(`${text}T00:00:00Z`)) === text;

const dayFrom = (utcMs: number): CalendarDay | undefined =>
  Number.isNaN(utcMs) ? undefined : new Date(utcMs).toISOString().slice(0, 10);

export const addDays = (day: CalendarDay, count: number): CalendarDay =>
  dayFrom(Date.parse(`${day}T00:00:00Z`) + count * dayMs)!;

/** The first day of the month that lies so many months after that of a day. */
export function monthAfter(day: CalendarDay, count: number): CalendarDay {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

/** Monday is 0. */
export const weekdayOf = (day: CalendarDay): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
