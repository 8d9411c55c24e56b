import type { Resolution } from '#contract/cloud/telemetry.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs, hourMs, minuteMs, parseTime } from '#contract/time.ts';
import { localDays } from '#lib/local-day.ts';

export type RangeQuery = {
  from?: string | undefined;
  to?: string | undefined;
  resolution?: Resolution | undefined;
  fields?: string | undefined;
};

export type Range = { from: number; to: number; resolution: Resolution; fields: string[] | undefined };

const firstReading = Date.UTC(2014, 11, 31); // nothing older is kept

const widthMs: Record<Exclude<Resolution, 'raw' | '1d'>, number> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
};

const longestMs: Record<Resolution, number> = {
  raw: 31 * dayMs,
  '1m': 92 * dayMs,
  '5m': 400 * dayMs,
  '15m': 800 * dayMs,
  '1h': 4000 * dayMs,
  '1d': 40_000 * dayMs,
};

export function rangeOf({ from, to, resolution, fields }: RangeQuery, now: number): Range {
  const end = timeOf(to, 'query.to') ?? now;
  const start = timeOf(from, 'query.from') ?? end - dayMs;
  if (start >= end) throw fieldProblem('unprocessable', 'query.from', 'must lie before the end');
  const chosen = resolution ?? resolutionFor(end - start);
  if (end - start > longestMs[chosen]) {
    throw fieldProblem(
      'unprocessable',
      'query.resolution',
      `${chosen} is too fine for so long a range; take a coarser one`,
    );
  }
  return { from: start, to: end, resolution: chosen, fields: fields?.split(',').map((name) => name.trim()) };
}

/** About a thousand points, or fewer. */
function resolutionFor(lengthMs: number): Resolution {
  if (lengthMs <= 12 * hourMs) return '1m';
  if (lengthMs <= 3 * dayMs) return '5m';
  if (lengthMs <= 10 * dayMs) return '15m';
  return lengthMs <= 60 * dayMs ? '1h' : '1d';
}

/** Where buckets begin and end: whole ones, so that the first and last show all of their time. */
export function edgesOf({ from, to, resolution }: Range, timeZone: string): number[] {
  if (resolution === '1d') return localDays(timeZone, Math.min(Math.max(from, firstReading), to - 1), to);
  const width = widthMs[resolution as keyof typeof widthMs];
  const edges: number[] = [];
  for (let edge = Math.floor(from / width) * width; edge < to; edge += width) edges.push(edge);
  edges.push(edges.at(-1)! + width);
  return edges;
}

function timeOf(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw fieldProblem('invalid_request', path, 'must be RFC 3339, Unix seconds or milliseconds');
  return ms;
}
