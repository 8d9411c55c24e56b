import { setImmediate } from 'node:timers/promises';
import { bucketMs, maxRangeMs, type Resolution } from '#contract/cloud/telemetry.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs, hourMs, parseTime } from '#contract/time.ts';
import { localDays } from '#lib/local-day.ts';
import { firstReadingTime, maxFutureMs } from './reading.ts';

export type HistoryQuery = {
  from?: string | undefined;
  to?: string | undefined;
  resolution?: Resolution | undefined;
  fields?: string | undefined;
};

export type HistoryRange = {
  from: number;
  to: number;
  resolution: Resolution;
  fields: string[] | undefined;
  /** no reading can be later than this */
  lastReading: number;
};

const firstReading = firstReadingTime - dayMs; // a day earlier, for zones ahead of UTC

const daysAtOnceMs = 200 * dayMs;

export function parseRange({ from, to, resolution, fields }: HistoryQuery, now: number): HistoryRange {
  const end = parseQueryTime(to, 'query.to') ?? now;
  const start = parseQueryTime(from, 'query.from') ?? end - dayMs;
  if (start >= end) throw fieldProblem('unprocessable', 'query.from', 'must lie before the end');
  const chosen = resolution ?? resolutionFor(end - start);
  if (end - start > maxRangeMs[chosen]) {
    throw fieldProblem(
      'unprocessable',
      'query.resolution',
      `${chosen} is too fine for so long a range; take a coarser one`,
    );
  }
  const names = fields?.split(',').map((name) => name.trim());
  return { from: start, to: end, resolution: chosen, fields: names, lastReading: now + maxFutureMs };
}

/** About a thousand points, or fewer. */
function resolutionFor(lengthMs: number): Resolution {
  if (lengthMs <= 12 * hourMs) return '1m';
  if (lengthMs <= 3 * dayMs) return '5m';
  if (lengthMs <= 10 * dayMs) return '15m';
  return lengthMs <= 60 * dayMs ? '1h' : '1d';
}

/**
 * Returns where buckets begin and end: whole ones, so that the first and last cover all of their time. Leaves out the time before
 * the first and after the last possible reading, so that the length of a range costs nothing where there can be no data.
 */
export async function bucketEdges(
  { from, to, resolution, lastReading }: HistoryRange,
  timeZone: string,
): Promise<number[]> {
  const start = Math.min(Math.max(from, firstReading), to - 1);
  const end = Math.max(Math.min(to, lastReading + 1), start + 1);
  if (resolution === '1d') return daysOf(timeZone, start, end);
  const width = bucketMs[resolution];
  const edges: number[] = [];
  for (let edge = Math.floor(start / width) * width; edge < end; edge += width) edges.push(edge);
  edges.push(edges.at(-1)! + width);
  return edges;
}

/** Asks a time zone about some days at a time: the first question about each takes the runtime some microseconds. */
async function daysOf(timeZone: string, start: number, end: number): Promise<number[]> {
  const days = localDays(timeZone, start, Math.min(end, start + daysAtOnceMs));
  while (days.at(-1)! < end) {
    await setImmediate();
    const last = days.pop()!;
    days.push(...localDays(timeZone, last, Math.min(end, last + daysAtOnceMs)));
  }
  return days;
}

function parseQueryTime(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw fieldProblem('invalid_request', path, 'must be RFC 3339, Unix seconds or milliseconds');
  return ms;
}
