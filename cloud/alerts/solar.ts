import type { AlertRules } from '#contract/cloud/alerts.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate } from '#contract/time-zone.ts';
import type { Found } from './conditions.ts';

/** A local day of the ledger: its solar energy, and seconds in which all devices were measured. */
export type SolarDay = { wh: number; coveredS: number };

const recentDays = 3;
export const comparedDays = 28;
const minDays = 21; // of the compared ones that have to be measured
const minCoveredS = 0.9 * 23 * 3600;
const minExpectedWh = 3000; // below, snow and short days explain everything

/** Returns the starts of the local days that are compared, the recent ones last, and the start of today. */
export function solarEdges(timeZone: string, now: number): number[] {
  const today = startOfDate(timeZone, dateAt(timeZone, now));
  const noon = today + 12 * hourMs;
  return Array.from({ length: recentDays + comparedDays + 1 }, (_, i) =>
    startOfDate(timeZone, dateAt(timeZone, noon - (recentDays + comparedDays - i) * dayMs)),
  );
}

/**
 * Compares the solar energy of the last three days with the weakest three consecutive days of the four weeks before, so
 * that clouds alone do not explain it. Unknown if one of the three days, or many of the others, was not measured.
 */
export function lowSolar(days: readonly SolarDay[], { percent }: AlertRules['solar_low']): Found<'solar_low'> {
  const isMeasured = ({ coveredS }: SolarDay): boolean => coveredS >= minCoveredS;
  const recent = days.slice(-recentDays);
  const before = days.slice(0, -recentDays);
  if (recent.length < recentDays || !recent.every(isMeasured)) return undefined;
  if (before.filter(isMeasured).length < minDays) return undefined;
  const windows = before.flatMap((_, i) => {
    const some = before.slice(i, i + recentDays);
    return some.length === recentDays && some.every(isMeasured) ? [energyOf(some)] : [];
  });
  if (windows.length === 0) return undefined;
  const [wh, expected_wh] = [energyOf(recent), Math.min(...windows)];
  if (expected_wh < minExpectedWh || wh >= (expected_wh * percent) / 100) return null;
  return { subjects: ['solar'], facts: { wh, expected_wh } };
}

const energyOf = (days: readonly SolarDay[]): number => days.reduce((sum, { wh }) => sum + wh, 0);
