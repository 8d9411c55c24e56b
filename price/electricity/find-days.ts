import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import type { OpenPrices } from './open-prices.ts';
import type { PriceDay } from './prices.ts';
import type { Question } from './question.ts';

const tomorrowMs = 2000; // who asks for the price of now does not wait long for that of tomorrow

const mostAtOnce = 4; // of one question, so that a month does not come down on a source all at once

/** The days of a question that can be had; a failure matters when nothing is left to tell. */
export async function findDays({ area, dates, isCurrent }: Question, prices: OpenPrices): Promise<PriceDay[]> {
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
  const findAll = async (some: readonly string[]): Promise<void> => {
    for (let n = 0; n < some.length; n += mostAtOnce) await Promise.all(some.slice(n, n + mostAtOnce).map(find));
  };

  if (isCurrent) {
    const tomorrow = find(dates[1]!);
    await find(dates[0]!);
    await (found.size > 0 ? Promise.race([tomorrow, sleep(tomorrowMs, undefined, { ref: false })]) : tomorrow);
  } else {
    await findAll(dates);
  }
  if (failure && (found.size === 0 || !(failure instanceof Problem))) throw failure;
  return dates.flatMap((date) => found.get(date) ?? []);
}
