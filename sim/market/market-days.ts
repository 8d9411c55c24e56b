import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { startOfLocalDay } from '#lib/local-day.ts';
import { noise } from '../house/noise.ts';
import type { Domain } from './domains.ts';
import { priceAt } from './price-curve.ts';

export type Price = { start: number; end: number; price: number };

/** The day of an auction: its prices in order. */
export type MarketDay = { start: number; end: number; stepMs: number; prices: Price[]; publishedAt: number };

const quartersFrom = Date.parse('2025-09-30T22:00Z');

/** The days that touch a range of time. */
export function marketDays(domain: Domain, from: number, to: number): MarketDay[] {
  const days: MarketDay[] = [];
  for (let start = startOfLocalDay(domain.timeZone, from); start < to; start = days.at(-1)!.end) {
    days.push(dayFrom(domain, start));
  }
  return days;
}

function dayFrom(domain: Domain, start: number): MarketDay {
  const end = startOfLocalDay(domain.timeZone, start + 1.5 * dayMs);
  const stepMs = start < quartersFrom ? hourMs : domain.stepMinutes * minuteMs;
  const prices = Array.from({ length: (end - start) / stepMs }, (_, n) => {
    const at = start + n * stepMs;
    return { start: at, end: at + stepMs, price: priceAt(domain, at) };
  });
  return { start, end, stepMs, prices, publishedAt: publication(domain, start) };
}

/** Between 12:45 and 13:00 in Brussels on the day before: 10:45 UTC in summer, 11:45 UTC in winter. */
function publication({ seed }: Domain, start: number): number {
  const dayBefore = startOfLocalDay('Europe/Brussels', start - dayMs / 2);
  return dayBefore + 12.75 * hourMs + Math.floor(noise(seed, start, 1) * 15) * minuteMs;
}
