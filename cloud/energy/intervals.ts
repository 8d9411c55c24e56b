import { setImmediate } from 'node:timers/promises';
import * as contract from '#contract/cloud/energy.ts';
import { fieldProblem } from '#contract/problem.ts';
import { dayMs, hourMs, parseTime } from '#contract/time.ts';
import { instantOf, offsetAt, wallAt } from '#contract/time-zone.ts';
import { localDays, startOfLocalDay } from '#lib/local-day.ts';

export type EnergyRange = { from: number; to: number; resolution: contract.EnergyResolution };

type EnergyQuery = { from?: string; to?: string; resolution?: contract.EnergyResolution };

/** Checks a range, and chooses a resolution that gives at most about a thousand intervals. */
export function parseEnergyRange({ from, to, resolution }: EnergyQuery, now: number, timeZone: string): EnergyRange {
  const end = parseQuarter(to, 'query.to') ?? Math.ceil((now + 1) / contract.quarterMs) * contract.quarterMs;
  const start = parseQuarter(from, 'query.from') ?? startOfLocalDay(timeZone, end - 1);
  if (start >= end) throw fieldProblem('unprocessable', 'query.from', 'must lie before the end');
  const chosen = resolution ?? resolutionFor(end - start);
  if (end - start > contract.maxEnergyRangeMs[chosen]) {
    const days = contract.maxEnergyRangeMs[chosen] / dayMs;
    throw fieldProblem(
      'unprocessable',
      'query.resolution',
      `${chosen} covers at most ${days} days; take a coarser one`,
    );
  }
  return { from: start, to: end, resolution: chosen };
}

function parseQuarter(text: string | undefined, path: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  if (ms === undefined) throw fieldProblem('invalid_request', path, 'must be RFC 3339, Unix seconds or milliseconds');
  if (ms % contract.quarterMs !== 0) throw fieldProblem('unprocessable', path, 'must lie on a quarter of an hour');
  return ms;
}

function resolutionFor(lengthMs: number): contract.EnergyResolution {
  if (lengthMs <= 2 * dayMs) return '15m';
  if (lengthMs <= 14 * dayMs) return '1h';
  return lengthMs <= 800 * dayMs ? '1d' : '1mo';
}

const daysAtOnce = 200; // the first lookups in a time zone take some microseconds each

/** Returns the limits of the intervals of a range: those of the calendar of a time zone, cut at the range. */
export async function edgesOf({ from, to, resolution }: EnergyRange, timeZone: string): Promise<number[]> {
  const inner =
    resolution === '15m' || resolution === '1h'
      ? steps(from, to, resolution === '1h' ? hourMs : contract.quarterMs, timeZone)
      : resolution === '1d'
        ? await days(from, to, timeZone)
        : months(from, to, timeZone, resolution === '1mo' ? 1 : 12);
  return [from, ...inner.filter((edge) => edge > from && edge < to), to];
}

/** Returns multiples of a step in local time; some zones are half an hour off. */
function steps(from: number, to: number, step: number, timeZone: string): number[] {
  const isEven = [from, to].every((at) => offsetAt(timeZone, at) % step === 0);
  const width = isEven ? step : contract.quarterMs;
  const edges: number[] = [];
  for (let edge = Math.floor(from / width) * width + width; edge < to; edge += width) {
    if (isEven || wallAt(timeZone, edge) % step === 0) edges.push(edge);
  }
  return edges;
}

async function days(from: number, to: number, timeZone: string): Promise<number[]> {
  const edges: number[] = [];
  for (let start = from; start < to; start += daysAtOnce * dayMs) {
    const some = localDays(timeZone, start, Math.min(to, start + daysAtOnce * dayMs));
    edges.push(...some.filter((edge) => edge > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)));
    await setImmediate();
  }
  return edges;
}

function months(from: number, to: number, timeZone: string, step: number): number[] {
  const wall = new Date(wallAt(timeZone, from));
  const first = step === 1 ? wall.getUTCMonth() : 0;
  const edges: number[] = [];
  for (let month = first + step; ; month += step) {
    const edge = instantOf(timeZone, Date.UTC(wall.getUTCFullYear(), month));
    if (edge >= to) return edges;
    edges.push(edge);
  }
}
