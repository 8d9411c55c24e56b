import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { startOfLocalDay } from '#lib/local-day.ts';
import { noise } from '../house/noise.ts';
import type { Domain } from './domains.ts';

export type Price = { start: number; end: number; price: number };

/** The prices of an auction day, in order. */
export type MarketDay = { start: number; end: number; stepMs: number; prices: Price[]; publishedAt: number };

const brussels = 'Europe/Brussels';
const quartersFrom = Date.parse('2025-09-30T22:00Z');

export function marketDays(domain: Domain, from: number, to: number): MarketDay[] {
  const days: MarketDay[] = [];
  for (let start = startOfLocalDay(brussels, from); start < to; ) {
    const day = dayFrom(domain, start);
    days.push(day);
    start = day.end;
  }
  return days;
}

function dayFrom(domain: Domain, start: number): MarketDay {
  const end = startOfLocalDay(brussels, start + 1.5 * dayMs);
  const stepMs = start < quartersFrom ? hourMs : domain.stepMinutes * minuteMs;
  const prices = Array.from({ length: (end - start) / stepMs }, (_, n) => {
    const at = start + n * stepMs;
    return { start: at, end: at + stepMs, price: priceAt(domain, at) };
  });
  return { start, end, stepMs, prices, publishedAt: publication(domain, start) };
}

/** Prices are published between 12:45 and 13:00 in Brussels on the previous day. */
function publication({ seed }: Domain, start: number): number {
  const dayBefore = startOfLocalDay(brussels, start - dayMs / 2);
  return dayBefore + 12.75 * hourMs + Math.floor(noise(seed, start, 1) * 15) * minuteMs;
}

const yearMs = 365.25 * dayMs;
const minPrice = -120;
const maxPrice = 900;

const bell = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));

/** Returns the price in EUR/MWh of the interval that starts at `at`; deterministic. */
function priceAt({ level, swing, solar, wind, seed }: Domain, at: number): number {
  const hour = (at / hourMs + 1) % 24; // approximate local time in central Europe
  const summer = 0.5 - 0.5 * Math.cos(2 * Math.PI * (((at % yearMs) + 10 * dayMs) / yearMs));
  const isWeekend = [2, 3].includes(Math.floor((at + hourMs) / dayMs) % 7); // the epoch was a Thursday

  const day = swing * (0.6 * bell(hour, 8, 1.8) + bell(hour, 18.8, 2.4) - 0.5 * bell(hour, 3, 3));
  const sun = solar * (0.15 + 0.85 * summer) * bell(hour, 13, 3.2) * (0.35 + 0.65 * noise(seed, at, 20 * hourMs));
  const storm = wind * (noise(seed + 1, at, 34 * hourMs) - 0.4);
  const cold = level * 0.3 * (1 - summer) * noise(seed + 2, at, 90 * hourMs);
  const ramp = (noise(seed + 3, at, hourMs / 3) - 0.5) * swing * 0.15;
  const price = level * (isWeekend ? 0.8 : 1) + cold + day - sun - storm + ramp;

  // In hydro areas the price is constant for some time.
  const grain = level < 30 ? 0.5 : 0.01;
  const rounded = Math.round(Math.min(maxPrice, Math.max(minPrice, price)) / grain) * grain;
  return Math.round(rounded * 100) / 100 + 0;
}
