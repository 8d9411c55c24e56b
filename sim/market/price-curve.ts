import { dayMs, hourMs } from '#contract/time.ts';
import { noise } from '../house/noise.ts';
import type { Domain } from './domains.ts';

const yearMs = 365.25 * dayMs;
const lowest = -120;
const highest = 900;

const bell = (hour: number, centre: number, width: number): number => Math.exp(-(((hour - centre) / width) ** 2));

/** Euro for a megawatt-hour in the interval that begins at `at`; the same whenever it is asked. */
export function priceAt({ level, swing, solar, wind, seed }: Domain, at: number): number {
  const hour = (at / hourMs + 1) % 24; // about the time of day in the middle of Europe
  const summer = 0.5 - 0.5 * Math.cos(2 * Math.PI * (((at % yearMs) + 10 * dayMs) / yearMs));
  const isWeekend = [2, 3].includes(Math.floor((at + hourMs) / dayMs) % 7); // the epoch was a Thursday

  const day = swing * (0.6 * bell(hour, 8, 1.8) + bell(hour, 18.8, 2.4) - 0.5 * bell(hour, 3, 3));
  const sun = solar * (0.15 + 0.85 * summer) * bell(hour, 13, 3.2) * (0.35 + 0.65 * noise(seed, at, 20 * hourMs));
  const storm = wind * (noise(seed + 1, at, 34 * hourMs) - 0.4);
  const cold = level * 0.3 * (1 - summer) * noise(seed + 2, at, 90 * hourMs);
  const ramp = (noise(seed + 3, at, hourMs / 3) - 0.5) * swing * 0.15;
  const price = level * (isWeekend ? 0.8 : 1) + cold + day - sun - storm + ramp;

  // Where water stands for the margin the price rests on one value for a while.
  const grain = level < 30 ? 0.5 : 0.01;
  const rested = Math.round(Math.min(highest, Math.max(lowest, price)) / grain) * grain;
  return Math.round(rested * 100) / 100 + 0;
}
