import assert from 'node:assert/strict';
import { test } from 'node:test';
import { energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { defaultPlanGoals } from '#contract/cloud/plans.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import type { History } from '#plan/forecast/history.ts';
import { knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import type { SiteQuarters } from '../energy/report.ts';
import { siteProblem } from './site-problem.ts';

const timeZone = 'Europe/Stockholm';
const now = Date.parse('2026-01-28T12:00:00Z');
const learnedMs = 43 * dayMs;

/** A house with 80 W of heating per degree, and panels that follow the irradiance. */
async function plannedWith(weather: { degreesAt(ms: number): number; irradianceAt(ms: number): number } | undefined) {
  const from = now - learnedMs;
  const length = learnedMs / quarterMs;
  const column = (valueAt: (ms: number) => number) =>
    Float64Array.from({ length }, (_, i) => valueAt(from + i * quarterMs));
  const series = Object.fromEntries(energySeries.map((name) => [name, column(() => 0)])) as SiteQuarters['series'];
  series.load = series.import = column((ms) => (2000 - 80 * pastDegrees(ms)) / 4);
  series.solar = column((ms) => pastIrradiance(ms) / 4);
  const terms = { area: 'SE3', tariff_id: threePeaks, timezone: timeZone };
  const prices = await knownCalculator({ spot: () => 60, unknownFrom: '2026-01-30' }).marginalPrice({
    ...terms,
    from: now - 21 * dayMs,
    to: Date.parse('2026-01-31T23:00:00Z'),
  });
  const history = (valueAt: (ms: number) => number): History => ({
    startMs: from,
    stepMs: hourMs,
    values: Array.from({ length: learnedMs / hourMs + 96 }, (_, n) => valueAt(from + n * hourMs)),
  });
  const { problem, assumed } = siteProblem({
    now,
    timeZone,
    site: { latitude: 59.3, longitude: 18.1 },
    goals: { site_id: 'site', ...defaultPlanGoals },
    fuse_a: 20,
    prices,
    quarters: { from, to: now, series, estimated: column(() => 0), coveredS: column(() => 900) },
    ders: [],
    readings: new Map(),
    weather: weather && {
      temperature: history(weather.degreesAt),
      irradiance: history(weather.irradianceAt),
      note: 'The weather is known.',
    },
  });
  const nextDay = (values: readonly number[]): number => values.slice(0, 96).reduce((sum, each) => sum + each / 96, 0);
  return { load: nextDay(problem.load_w), solar: nextDay(problem.solar_w), assumed };
}

const pastDegrees = (ms: number): number => 5 * Math.sin(ms / (3 * dayMs));
const pastIrradiance = (ms: number): number => Math.max(0, 400 * Math.sin(((ms % dayMs) / dayMs - 0.25) * 2 * Math.PI));

test('plans expect more load in the cold and more sun under a clear sky, and say which weather they used', async () => {
  const without = await plannedWith(undefined);
  const usual = await plannedWith({ degreesAt: pastDegrees, irradianceAt: pastIrradiance });
  const other = await plannedWith({
    degreesAt: (ms) => (ms < now ? pastDegrees(ms) : -15),
    irradianceAt: (ms) => pastIrradiance(ms) * (ms < now ? 1 : 0.2),
  });
  assert.ok(Math.abs(other.load - 3200) < 200, `${other.load} W`);
  assert.ok(other.load > without.load + 500, `${without.load} W without weather`);
  assert.ok(Math.abs(other.solar / usual.solar - 0.2) < 0.03, `${other.solar} and ${usual.solar} W`);
  assert.ok(other.assumed.includes('The weather is known.'), other.assumed.join(' '));
  assert.ok(!without.assumed.some((sentence) => /weather/i.test(sentence)));
  assert.match(without.assumed[0]!, /^Spot prices from 2026-01-30 00:00 on are assumed/); // local time
});
