import { type Cheapest, getCheapest, type Step } from '#contract/price/total.ts';
import { minuteMs } from '#contract/time.ts';
import { startOfDate } from '#contract/time-zone.ts';
import { addDays, type CalendarDay } from '../../chart/calendar.ts';
import { type LoadedPrice, loadTotal, type PriceTerms, priceApi } from '../market/total-price.ts';

export const stepMsOf = (step: Step): number => (step === 'PT15M' ? 15 : 60) * minuteMs;

type Days = { day: CalendarDay; timeZone: string | undefined; step: Step };

export const loadTwoDays = (
  { day, timeZone, step }: Days,
  terms: PriceTerms,
  signal: AbortSignal,
): Promise<LoadedPrice> =>
  loadTotal(
    priceApi,
    {
      from: new Date(startOfDate(timeZone, day)).toISOString(),
      to: new Date(startOfDate(timeZone, addDays(day, 2))).toISOString(),
      resolution: step,
    },
    terms,
    signal,
  );

export type CheapestWindow = { cheapest: Cheapest; fromNow: Cheapest };

const quarterMs = 15 * minuteMs;

export const nextQuarter = (ms: number): number => Math.ceil(ms / quarterMs) * quarterMs;

/** Loads the cheapest window and the one that starts now. */
export async function loadWindow(
  { hours, before, nowMs }: { hours: number; before: number | undefined; nowMs: number },
  terms: PriceTerms,
  signal: AbortSignal,
): Promise<CheapestWindow> {
  const ask = (end: number | undefined): Promise<Cheapest> => {
    const after = new Date(nowMs).toISOString();
    const query = { ...terms, hours, after, ...(end !== undefined && { before: new Date(end).toISOString() }) };
    return priceApi.call(getCheapest, { query, signal });
  };
  const [cheapest, fromNow] = await Promise.all([ask(before), ask(nextQuarter(nowMs) + hours * 60 * minuteMs)]);
  return { cheapest, fromNow };
}
