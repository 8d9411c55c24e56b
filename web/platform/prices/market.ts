import { createClient } from '#contract/client.ts';
import { type Cheapest, getCheapest, getTotalPrice, type Step, type TotalPrice } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { addDays, type CalendarDay, startOfDay } from '../../chart/zone.ts';

/** Prices are public: nobody needs to be signed in. */
export const prices = createClient({ baseUrl: '' });

/** What a price depends on beside the time. */
export type Terms = { area: string; tariff_id?: string; markup?: number; vat?: number };

export type Total = {
  price: TotalPrice;
  /** the terms that were used: those asked for, or the same without a tariff that has no price today */
  terms: Terms;
  refusal?: Problem;
};

export const minuteMs = 60_000;
export const stepMsOf = (step: Step): number => (step === 'PT15M' ? 15 : 60) * minuteMs;

/** The prices of a day and the next. A tariff whose prices are not known any more is left out, and it says so. */
export async function loadTotal(
  { day, timeZone, step }: { day: CalendarDay; timeZone: string | undefined; step: Step },
  terms: Terms,
  signal: AbortSignal,
): Promise<Total> {
  const range = {
    from: new Date(startOfDay(day, timeZone)).toISOString(),
    to: new Date(startOfDay(addDays(day, 2), timeZone)).toISOString(),
    resolution: step,
  };
  const ask = (asked: Terms): Promise<TotalPrice> =>
    prices.call(getTotalPrice, { query: { ...asked, ...range }, signal });
  try {
    return { price: await ask(terms), terms };
  } catch (problem) {
    if (terms.tariff_id === undefined || !isRefusal(problem)) throw problem;
    const { tariff_id: _, ...rest } = terms;
    return { price: await ask(rest), terms: rest, refusal: problem };
  }
}

/** The question has no answer as it is; to ask it again does not help. */
export const isRefusal = (problem: unknown): problem is Problem =>
  problem instanceof Problem && ['unprocessable', 'not_found'].includes(problem.code);

export type Window = { cheapest: Cheapest; fromNow: Cheapest };

const quarterMs = 15 * minuteMs;

export const nextQuarter = (ms: number): number => Math.ceil(ms / quarterMs) * quarterMs;

/** The cheapest window, and the one that begins now. */
export async function loadWindow(
  { hours, before, nowMs }: { hours: number; before: number | undefined; nowMs: number },
  terms: Terms,
  signal: AbortSignal,
): Promise<Window> {
  const ask = (end: number | undefined): Promise<Cheapest> => {
    const after = new Date(nowMs).toISOString();
    const query = { ...terms, hours, after, ...(end !== undefined && { before: new Date(end).toISOString() }) };
    return prices.call(getCheapest, { query, signal });
  };
  const [cheapest, fromNow] = await Promise.all([ask(before), ask(nextQuarter(nowMs) + hours * 60 * minuteMs)]);
  return { cheapest, fromNow };
}
