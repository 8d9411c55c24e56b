import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanProblem } from '#contract/plan.ts';
import { homeOf } from '#test/proof/home-months.ts';
import type { History } from '../forecast/history.ts';
import { forecastSite } from '../forecast/site-forecast.ts';
import { plan } from '../planner.ts';
import { savingsOf } from '../sentence.ts';
import { type Replayed, replay } from './replay.ts';
import type { Series } from './world.ts';

const hindsightMs = 60_000;

/** Returns the month as it is expected at its start, as the platform expects it. */
function expected({ problem }: Replayed, { startMs, stepMs, ...series }: Series): PlanProblem {
  const first = (Date.parse(problem.start) - startMs) / stepMs;
  const end = first + problem.steps_s.length;
  const knownUntil = series.priceKnownAt.findIndex((at) => at > startMs + first * stepMs);
  const until = (last: number, values: Float64Array): History => ({
    startMs,
    stepMs,
    values: values.subarray(0, last),
  });
  const market = series.import_price.map((price, n) => price - series.fixed_price[n]!);
  const spans = problem.steps_s.map((_, n) => ({
    start: startMs + (first + n) * stepMs,
    end: startMs + (first + n + 1) * stepMs,
  }));
  const { load, solar, prices } = forecastSite(
    {
      timezone: problem.timezone,
      load: until(first, series.load_w),
      solar: until(first, series.solar_w),
      prices: until(knownUntil, market),
    },
    spans,
  );
  const fixed = series.fixed_price.subarray(first, end);
  return {
    ...problem,
    load_w: load.map(({ mean }) => mean),
    solar_w: solar.map(({ mean }) => mean),
    import_price: prices.map(({ price }, n) => price + fixed[n]!),
    export_price: prices.map(({ price }) => price / vat),
  };
}
const vat = 1.25; // by which the market of these homes is multiplied for imports

test('plans promise for a month what they save, within 5 % over three homes', async () => {
  let [promised, realised] = [0, 0];
  for (const seed of [1, 3, 4]) {
    const { replayCase, series } = homeOf(seed);
    const lived = replay(replayCase, series);
    const problem = expected(lived, series);
    const { cost } = await plan(problem, { timeLimitMs: hindsightMs });
    promised += savingsOf(problem, cost).saves;
    realised += lived.selfConsumption.total - lived.cost.total;
  }
  assert.ok(realised > 0 && Math.abs(promised / realised - 1) < 0.05, `${promised} promised, ${realised} realised`);
});
