import { dayMs } from './time.ts';

// The clocks of a time zone; where none is named, those of this machine. A wall time is what they show, in ms as if it were UTC.

type TimeZone = string | undefined;

const maxDays = 2000;
const maxZones = 600; // there are fewer, but a name may be spelled in many ways

type Offsets = (ms: number) => number;
const offsets = new Map<TimeZone, Offsets>();

/** How far the clocks are ahead of UTC at an instant, ms. */
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

/** The system is asked about a day once, and about each instant of a day on which the clocks change. */
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
  // It writes 2026, GMT+05:45; of times long ago seconds, too; GMT alone where the clocks show UTC.
  const written = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/;
  return (ms) => {
    const [, sign, hours, minutes, seconds = 0] = written.exec(format.format(ms)) ?? [];
    if (!hours) return 0;
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -ahead : ahead) * 1000;
  };
}

export const wallAt = (timeZone: TimeZone, ms: number): number => ms + offsetAt(timeZone, ms);

/** When the clocks first show a wall time; when they skip it, the moment at which they skip. */
export function instantOf(timeZone: TimeZone, wall: number): number {
  const [before, after] = [offsetAt(timeZone, wall - dayMs), offsetAt(timeZone, wall + dayMs)];
  // Not touched in between: what was changed and changed back soonest was so for seven days (Noronha, October 2000).
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

/** The day that the calendar of the zone shows at an instant, as 2026-03-29. */
export const dateAt = (timeZone: TimeZone, ms: number): string =>
  new Date(wallAt(timeZone, ms)).toISOString().slice(0, 10);

/** The first instant of a day; in some zones the clocks skip midnight. */
export const startOfDate = (timeZone: TimeZone, date: string): number =>
  instantOf(timeZone, Date.parse(`${date}T00:00:00Z`));
