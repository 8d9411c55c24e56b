import { setTimeout as sleep } from 'node:timers/promises';
import { type Resolution, resolutions } from '#contract/price/electricity.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { addDays } from '#contract/time-zone.ts';
import { type Area, findArea, nameAsAsked } from './areas.ts';
import { isDate, marketDateAt, type PriceDay } from './market-day.ts';
import type { OpenPrices } from './open-prices.ts';

export type PriceQuery = {
  area: Area;
  /** as requested, for example SE for SE3 */
  name: string;
  dates: readonly [first: string, ...others: string[]];
  /** whether today and tomorrow were requested */
  isCurrent: boolean;
  resolution: Resolution;
  currency: string;
};

export type PriceQueryText = { [name in 'date' | 'days' | 'resolution' | 'currency']?: string | undefined };

export const maxDays = 31;

export function parsePriceQuery(areaText: string, text: PriceQueryText, now: number): PriceQuery {
  const area = findArea(areaText);
  if (!area) throw new Problem('not_found', `The area ${areaText.slice(0, 40)} is not supported.`);
  const { date, days, resolution = 'PT60M', currency = 'EUR' } = text;
  if (date !== undefined && !isDate(date)) throw wrong('date', 'must be a calendar date such as 2026-03-29');
  if (days !== undefined && !(/^\d{1,2}$/.test(days) && Number(days) >= 1 && Number(days) <= maxDays))
    throw wrong('days', `must be a whole number from 1 to ${maxDays}`);
  if (!isResolution(resolution)) throw wrong('resolution', `must be ${resolutions.join(' or ')}`);
  if (!/^[A-Za-z]{3}$/.test(currency)) throw wrong('currency', 'must be a three-letter currency code such as SEK');

  const isCurrent = date === undefined && days === undefined;
  const first = date ?? marketDateAt(area, now);
  const count = isCurrent ? 2 : Number(days ?? 1);
  return {
    area,
    name: nameAsAsked(areaText, area),
    dates: [first, ...Array.from({ length: count - 1 }, (_, n) => addDays(first, n + 1))],
    isCurrent,
    resolution,
    currency: currency.toUpperCase(),
  };
}

const isResolution = (text: string): text is Resolution => resolutions.some((each) => each === text);

const wrong = (name: string, message: string): Problem => fieldProblem('unprocessable', `query.${name}`, message);

const maxTomorrowWaitMs = 2000; // a request for today's prices does not wait longer for tomorrow's

const maxParallelDays = 4; // per request, so that a month does not flood a source

/** Loads the requested days that are available; throws a source failure only when no day is. */
export async function findDays({ area, dates, isCurrent }: PriceQuery, prices: OpenPrices): Promise<PriceDay[]> {
  const found = new Map<string, PriceDay>();
  let failure: unknown;
  const find = async (date: string): Promise<void> => {
    try {
      const day = await prices.day(area, date);
      if (day) found.set(date, day);
    } catch (error) {
      failure = error;
    }
  };

  if (isCurrent) {
    const [today, ...others] = dates;
    const tomorrow = Promise.all(others.map(find));
    await find(today);
    await (found.size > 0 ? Promise.race([tomorrow, sleep(maxTomorrowWaitMs, undefined, { ref: false })]) : tomorrow);
  } else {
    await prices.load(area, dates).catch((error: unknown) => {
      failure = error;
    });
    for (let n = 0; n < dates.length; n += maxParallelDays)
      await Promise.all(dates.slice(n, n + maxParallelDays).map(find));
  }
  if (failure && (found.size === 0 || !(failure instanceof Problem))) throw failure;
  return dates.flatMap((date) => found.get(date) ?? []);
}
