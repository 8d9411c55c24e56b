export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs; // days with a clock change are an hour shorter or longer

// An unescaped + in a query arrives as a space.
const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+ -]\d{2}:\d{2})$/;

// Seconds stay below this until the year 5138; milliseconds passed it in 1973.
const smallestMs = 1e11;

// The range of RFC 3339, whose years have four digits.
const [earliest, latest] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Parses RFC 3339, Unix seconds or Unix milliseconds to milliseconds; undefined when invalid. */
export function parseTime(text: string): number | undefined {
  const ms = millisecondsOf(text);
  return ms !== undefined && ms >= earliest && ms <= latest ? ms : undefined;
}

function millisecondsOf(text: string): number | undefined {
  if (/^\d{1,15}(\.\d{1,9})?$/.test(text)) {
    const number = Number(text);
    return Math.floor(number < smallestMs ? number * 1000 : number);
  }
  const [, date, time, offset] = rfc3339.exec(text) ?? [];
  if (!date || !time || !offset) return undefined;
  const ms = Date.parse(`${date}T${time}${offset.replace(' ', '+')}`);
  return Number.isNaN(ms) || !existsOnCalendar(date) ? undefined : ms;
}

// Date.parse accepts 31 February as 3 March.
export const existsOnCalendar = (date: string): boolean => new Date(date).getUTCDate() === Number(date.slice(-2));

const digits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let lastDay = { day: Number.NaN, text: '' }; // long answers list many times of a day

/** Returns RFC 3339 in UTC with milliseconds. */
export function formatTime(ms: number): string {
  if (!Number.isInteger(ms)) return new Date(ms).toISOString();
  const day = Math.floor(ms / dayMs);
  if (day !== lastDay.day) lastDay = { day, text: new Date(day * dayMs).toISOString().slice(0, -13) };
  const rest = ms - day * dayMs;
  const hours = digits[Math.floor(rest / hourMs)];
  const minutes = digits[Math.floor((rest % hourMs) / minuteMs)];
  const seconds = digits[Math.floor((rest % minuteMs) / 1000)];
  const milliseconds = rest % 1000 === 0 ? '000' : String(rest % 1000).padStart(3, '0');
  return `${lastDay.text}${hours}:${minutes}:${seconds}.${milliseconds}Z`;
}

/** Tells whether a reading should be marked as old; devices are read and sent every few seconds. */
export const isStaleAt = (atMs: number | undefined, nowMs: number): boolean =>
  atMs === undefined || nowMs - atMs > minuteMs;

/** Tells whether a reading still describes the current state. */
export const isCurrentAt = (atMs: number, nowMs: number): boolean => nowMs - atMs < 5 * minuteMs;

/** Maximum age of readings in public totals. */
export const recentMs = 15 * minuteMs;
