const dayMs = 86_400_000;
const minuteMs = 60_000;

/** What the clocks on the wall show: the day as YYYY-MM-DD and the minute of the day. */
export type Wall = { date: string; minute: number };

export type WallClock = { at(ms: number): Wall };

const clocks = new Map<string, WallClock>();

/** The clocks of a time zone. They are asked once for a day, and once a quarter-hour for a day on which they change. */
export function wallClockOf(timeZone: string): WallClock {
  const clock = clocks.get(timeZone) ?? createWallClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

const mostDays = 20_000;

function createWallClock(timeZone: string): WallClock {
  const offsetAt = createOffsets(timeZone);
  const steadyOffsets = new Map<number, number | undefined>();
  const dates = new Map<number, string>();

  function offset(ms: number): number {
    const day = Math.floor(ms / dayMs);
    if (!steadyOffsets.has(day)) {
      if (steadyOffsets.size === mostDays) steadyOffsets.clear();
      const [first, last] = [offsetAt(day * dayMs), offsetAt((day + 1) * dayMs - minuteMs)];
      steadyOffsets.set(day, first === last ? first : undefined);
    }
    return steadyOffsets.get(day) ?? offsetAt(ms);
  }

  function dateOf(wallDay: number): string {
    let date = dates.get(wallDay);
    if (date === undefined) {
      if (dates.size === mostDays) dates.clear();
      date = new Date(wallDay * dayMs).toISOString().slice(0, 10);
      dates.set(wallDay, date);
    }
    return date;
  }

  return {
    at(ms) {
      const wall = ms + offset(ms);
      const day = Math.floor(wall / dayMs);
      return { date: dateOf(day), minute: Math.floor((wall - day * dayMs) / minuteMs) };
    },
  };
}

/** How far the clocks are ahead of UTC, ms. */
function createOffsets(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (ms) => {
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(ms)) ?? [];
    return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
  };
}

/** HH:MM:SS of a minute of the day. */
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

/** The minute of the day of HH:MM:SS. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
