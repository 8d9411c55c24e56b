const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a time zone are ahead of UTC at an instant, ms. */
function offsetAt(timeZone: string, ms: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', second: 'numeric', ...numeric });
    formats.set(timeZone, format);
  }
  const parts = format.formatToParts(ms);
  const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(ms / 1000) * 1000;
}

const dayMs = 86_400_000;

/** The first instant of the local day that an instant lies in. */
export function startOfLocalDay(timeZone: string, ms: number): number {
  const wallDay = Math.floor((ms + offsetAt(timeZone, ms)) / dayMs) * dayMs;
  return instantOf(timeZone, wallDay);
}

// Where the clocks are the same at both ends of some days they were not touched in between: what was changed and changed back
// soonest was so for seven days (Noronha, October 2000).
const strideDays = 3;

/** The first instants of the local days from the one an instant lies in up to the first at or after another. */
export function localDays(timeZone: string, from: number, to: number): number[] {
  const days = [startOfLocalDay(timeZone, from)];
  let offset: number | undefined; // half a day before the last day began, where that is known
  for (let last = days[0]!; last < to; last = days.at(-1)!) {
    const noonAfter = last + dayMs * 1.5; // well into the next day, whatever the clocks did
    offset ??= offsetAt(timeZone, last - dayMs / 2);
    if (offsetAt(timeZone, noonAfter + strideDays * dayMs) === offset) {
      for (let day = 1; day <= strideDays && days.at(-1)! < to; day++) days.push(last + day * dayMs);
    } else {
      days.push(startOfLocalDay(timeZone, noonAfter));
      offset = undefined;
    }
  }
  return days;
}

/** When the clocks of the zone first show this wall time; when they skip it, the moment they skip. */
function instantOf(timeZone: string, wall: number): number {
  const before = offsetAt(timeZone, wall - dayMs / 2 - offsetAt(timeZone, wall));
  const first = wall - before;
  const after = offsetAt(timeZone, wall + dayMs / 2 - before);
  const second = wall - after;
  return offsetAt(timeZone, first) === before || offsetAt(timeZone, second) !== after ? first : second;
}
