import { setImmediate } from 'node:timers/promises';
import * as contract from '#contract/cloud/telemetry.ts';
import { fieldProblem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { dayMs, hourMs, parseTime } from '#contract/time.ts';
import { localDays } from '#lib/local-day.ts';
import {
  answerTooLargeCode,
  type PointsFormat,
  type TelemetryStore,
  type TextPart,
} from '../store/telemetry/telemetry-store.ts';
import { firstReadingTime, maxFutureMs } from './reading.ts';

type HistoryQuery = Omit<RequestOf<typeof contract.getDerTelemetry>['query'], 'format'>;

export type HistoryRange = {
  from: number;
  to: number;
  resolution: contract.Resolution;
  fields: string[] | undefined;
  /** no reading can be later than this */
  lastReading: number;
};

const firstReading = firstReadingTime - dayMs; // a day earlier, for zones ahead of UTC

const maxDaysMs = 200 * dayMs; // in one go: the first lookups in a time zone take some microseconds each

export function parseRange({ from, to, resolution, fields }: HistoryQuery, now: number): HistoryRange {
  const end = parseQueryTime(to, 'query.to') ?? now;
  const start = parseQueryTime(from, 'query.from') ?? end - dayMs;
  if (start >= end) throw fieldProblem('unprocessable', 'query.from', 'must lie before the end');
  const chosen = resolution ?? resolutionFor(end - start);
  if (end - start > contract.maxRangeMs[chosen]) {
    const message = `${chosen} is too fine for so long a range; take a coarser one`;
    throw fieldProblem('unprocessable', 'query.resolution', message);
  }
  const names = (fields ?? '').split(',').flatMap((name) => name.trim() || []);
  return {
    from: start,
    to: end,
    resolution: chosen,
    fields: names.length > 0 ? names : undefined,
    lastReading: now + maxFutureMs,
  };
}

/** Returns the resolution that gives about a thousand points or fewer. */
function resolutionFor(lengthMs: number): contract.Resolution {
  if (lengthMs <= 12 * hourMs) return '1m';
  if (lengthMs <= 3 * dayMs) return '5m';
  if (lengthMs <= 10 * dayMs) return '15m';
  return lengthMs <= 60 * dayMs ? '1h' : '1d';
}

/** Returns the limits of whole buckets that cover the range, without the time in which there can be no readings. */
export async function bucketEdges(
  { from, to, resolution, lastReading }: HistoryRange,
  timeZone: string,
): Promise<number[]> {
  const start = Math.min(Math.max(from, firstReading), to - 1);
  const end = Math.max(Math.min(to, lastReading + 1), start + 1);
  if (resolution === '1d') return daysOf(timeZone, start, end);
  const width = contract.bucketMs[resolution];
  const first = Math.floor(start / width) * width;
  return Array.from({ length: Math.ceil((end - first) / width) + 1 }, (_, bucket) => first + bucket * width);
}

async function daysOf(timeZone: string, start: number, end: number): Promise<number[]> {
  const days: number[] = [];
  for (let from = start; ; await setImmediate()) {
    days.push(...localDays(timeZone, from, Math.min(end, from + maxDaysMs)));
    const last = days.at(-1);
    if (last === undefined || last >= end) return days;
    from = last;
    days.pop();
  }
}

function parseQueryTime(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw fieldProblem('invalid_request', path, 'must be RFC 3339, Unix seconds or milliseconds');
  return ms;
}

export const figure = (count: number): string => count.toLocaleString('en');

const tooMuchWords = {
  too_many_readings: `more than ${figure(contract.maxRawReadings)} readings`,
  too_many_values: `more than ${figure(contract.maxRawValues)} values`,
  too_many_bytes: `more than ${figure(contract.maxRawBytes / 1024 ** 2)} MB of text`,
};

/** Streams the readings or buckets of a DER as text. */
export async function* streamDerPoints(
  telemetry: TelemetryStore,
  der: number,
  range: HistoryRange,
  { timeZone, format }: { timeZone: string; format: PointsFormat | undefined },
): AsyncGenerator<TextPart> {
  const asked = range.resolution === 'raw' ? range : { edges: await bucketEdges(range, timeZone) };
  try {
    yield* telemetry.points(der, asked, range.fields, format);
  } catch (error) {
    const code = answerTooLargeCode(error);
    if (!code) throw error;
    const narrower = 'ask for fewer fields (fields=), for a shorter range, or for a coarser resolution';
    const message = `raw has ${tooMuchWords[code]} in this range; ${narrower}`;
    throw fieldProblem('unprocessable', 'query.resolution', message, { cause: error });
  }
}
