import { dayMs } from './time.ts';

// Without a time zone, that of this machine is used. A wall time is local time in ms, as if it were UTC.

type TimeZone = string | undefined;

const maxDays = 2000;
const maxZones = 600; // there are fewer zones, but names have many spellings

type Offsets = (ms: number) => number;
const offsets = new Map<TimeZone, Offsets>();

export function offsetAt(timeZone: TimeZone, ms: number): number {
  let known = offsets.get(timeZone);
  if (!known) {
    known = rememberedOffsets(timeZone);
    if (offsets.size === maxZones) offsets.clear();
    offsets.set(timeZone, known);
  }
  return known(ms);
}

export function isTimeZone(name: string): boolean {
  try {
    offsetAt(name, 0);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Caches the offset of each day, except for days with a clock change. */
function rememberedOffsets(timeZone: TimeZone): Offsets {
  const ask = systemOffsets(timeZone);
  const steady = new Map<number, number>();

  function askAbout(day: number): number {
    if (steady.size === maxDays) steady.clear();
    const [first, last] = [ask(day * dayMs), ask((day + 1) * dayMs - 1)];
    const offset = first === last ? first : Number.NaN;
    steady.set(day, offset);
    return offset;
  }

  return (ms) => {
    const day = Math.floor(ms / dayMs);
    const offset = steady.get(day) ?? askAbout(day);
    return Number.isNaN(offset) ? ask(ms) : offset;
  };
}

function systemOffsets(timeZone: TimeZone): Offsets {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', timeZoneName: 'longOffset' });
  // The format is "2026, GMT+05:45", with seconds for historical offsets and plain GMT for UTC.
  const written = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/;
  return (ms) => {
    const [, sign, hours, minutes, seconds = 0] = written.exec(format.format(ms)) ?? [];
    if (!hours) return 0;
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -ahead : ahead) * 1000;
  };
}

export const wallAt = (timeZone: TimeZone, ms: number): number => ms + offsetAt(timeZone, ms);

/** Returns the first instant of a wall time; for a skipped time, the instant of the skip. */
export function instantOf(timeZone: TimeZone, wall: number): number {
  const [before, after] = [offsetAt(timeZone, wall - dayMs), offsetAt(timeZone, wall + dayMs)];
  // No change in between: the shortest change that was reverted lasted seven days (Noronha, October 2000).
  if (before === after) return wall - before;
  const shown = [wall - before, wall - after].find((ms) => wallAt(timeZone, ms) === wall);
  if (shown !== undefined) return shown;
  let [early, late] = [wall - after, wall - before]; // the skip lies between them
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(timeZone, middle) === before) early = middle;
    else late = middle;
  }
  return late;
}

/** Returns the local date of an instant, such as 2026-03-29. */
export const dateAt = (timeZone: TimeZone, ms: number): string =>
  new Date(wallAt(timeZone, ms)).toISOString().slice(0, 10);

/** Returns the date that is some days later, or earlier if they are negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** Returns the next instant at which clocks show a time such as 07:00, or pass over it because they are set forward. */
export function nextTimeOfDay(timeZone: TimeZone, time: string, now: number): number {
  for (let day = 0; ; day++) {
    const wall = Date.parse(`${new Date(wallAt(timeZone, now) + day * dayMs).toISOString().slice(0, 10)}T${time}:00Z`);
    const first = instantOf(timeZone, wall);
    const again = first + offsetAt(timeZone, first) - offsetAt(timeZone, first + dayMs); // shown twice if clocks are set back
    const found = [first, again].find((ms) => ms > now && (ms === first || wallAt(timeZone, ms) === wall));
    if (found !== undefined) return found;
  }
}

/** Returns the first instant of a day; some zones skip midnight. */
export const startOfDate = (timeZone: TimeZone, date: string): number =>
  instantOf(timeZone, Date.parse(`${date}T00:00:00Z`));
