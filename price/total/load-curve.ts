import type { LoadInterval } from '#contract/price/total.ts';
import { fieldProblem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { readInstant } from '../electricity/market-day.ts';

export type Load = { start: number; end: number; imported: number; exported: number };

const lengths = [15, 30, 60].map((minutes) => minutes * minuteMs);

/** A load curve with its instants read and its order checked. */
export function readLoadCurve(intervals: readonly LoadInterval[]): Load[] {
  const read = createInstants();
  const starts = intervals.map(({ start }, n) => read(start) ?? refuse(n, 'start'));
  const usual = usualLength(starts);
  const loads = intervals.map(({ end, import_kwh, export_kwh = 0 }, n) => {
    const start = starts[n]!;
    const until = end === undefined ? start + usual : (read(end) ?? refuse(n, 'end'));
    return { start, end: until, imported: import_kwh, exported: export_kwh };
  });
  for (const [n, { start, end }] of loads.entries()) {
    if (!lengths.includes(end - start)) {
      throw fieldProblem('unprocessable', `body.intervals.${n}.end`, 'must be 15, 30 or 60 minutes after the start');
    }
    if (start % (end - start) !== 0)
      throw fieldProblem('unprocessable', `body.intervals.${n}.start`, 'must be a whole interval');
    if (n > 0 && loads[n - 1]!.end > start) {
      throw fieldProblem('unprocessable', `body.intervals.${n}.start`, 'lies before the end of the interval before it');
    }
  }
  return loads;
}

function refuse(n: number, field: 'start' | 'end'): never {
  const message = 'must be RFC 3339 with an offset, Unix seconds or milliseconds, of the years 1900 to 2999';
  throw fieldProblem('unprocessable', `body.intervals.${n}.${field}`, message);
}

const dated = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):([0-5]\d)/;

/** Reads instants. Of those of one day only the first is looked at whole: a curve has a hundred of them. */
function createInstants(): (given: string | number) => number | undefined {
  const midnights = new Map<string, number | undefined>(); // by what they have but for hours and minutes
  return (given) => {
    const text = String(given);
    const [, hours, minutes] = dated.exec(text) ?? [];
    if (hours === undefined) return readInstant(text);
    const midnight = `${text.slice(0, 11)}00:00${text.slice(16)}`;
    if (!midnights.has(midnight)) midnights.set(midnight, readInstant(midnight));
    const first = midnights.get(midnight);
    return first === undefined ? undefined : first + (Number(hours) * 60 + Number(minutes)) * minuteMs;
  };
}

/** An hour for a single interval. */
function usualLength(starts: readonly number[]): number {
  let least = 60 * minuteMs;
  for (let n = 1; n < starts.length; n++) least = Math.min(least, starts[n]! - starts[n - 1]!);
  return least;
}
