import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanProblem } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { addedFee, feeOf, peakPeriods } from './peaks.ts';
import { costOf, gridOf, missesOf } from './schedule.ts';
import { loadSolver, solve } from './solve.ts';
import { wrongReasons } from './testing/check-reasons.ts';
import { homeProblem } from './testing/home-problem.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();

/** Solves with a clock that stands still, so that nothing depends on the speed of the machine. */
function solved(problem: PlanProblem) {
  const found = solve(highs, problem, { timeLimitMs: 60_000, elapsed: () => 0 });
  assert.ok(found, 'no plan');
  return found;
}

test('the tier is the one with which energy and fee cost least together', () => {
  const prices = [1, 5, 1, 4, 1, 6, 2, 5];
  const fee = { period: 'month', window_s: 3600, count: 1, one_per_day: true } as const;
  for (const [perKw, limit] of [0.5, 2, 6, 20].flatMap((each) => [1, 3].map((kw) => [each, kw] as const))) {
    const tiers = Array.from({ length: 30 }, (_, n) => ({ up_to_kw: (n + 1) * 0.5, fee: perKw * (n + 1) }));
    const problem = problemOf(prices, {
      load_w: prices.map((_, n) => limit * 1000 * (n % 3 === 0 ? 1 : 0.3)),
      storages: [{ ...battery, charge_efficiency: 0.9 }],
    });
    // With a single peak, a tier is a limit of the import.
    const byTier = tiers.map(({ up_to_kw }) => {
      const limited = { ...problem, grid: { import_limit_w: up_to_kw * 1000 } };
      const { schedule } = solved(limited);
      if (missesOf(limited, schedule).length > 0) return Number.POSITIVE_INFINITY;
      const { total } = costOf(problem, schedule);
      const [period] = peakPeriods({ ...problem, peak_fees: [{ ...fee, tiers }] });
      return (
        total +
        addedFee(
          period!,
          gridOf(problem, schedule).map((w) => Math.max(0, w - 1e-6) / 1000),
        )
      );
    });
    const tiered = { ...problem, peak_fees: [{ ...fee, tiers }] };
    const found = solved(tiered);
    const [total, least] = [costOf(tiered, found.schedule).total, Math.min(...byTier)];
    assert.ok(Math.abs(total - least) < 1e-3, `${total} instead of ${least} with ${perKw} per kW`);
    assert.ok(found.isProven, `gap ${found.gap}`);
  }
});

test('a month with a car stays in the lower tier although its charges have to be chosen again', () => {
  for (const seed of [3, 8]) {
    const problem = homeProblem(seed, { quarters: 192, hours: 22 * 24, cars: 1, fee: 'tiers' });
    const { schedule, gap } = solved(problem);
    assert.deepEqual(missesOf(problem, schedule), []);
    assert.ok(gap < 0.005, `seed ${seed}: gap ${gap}`);
    assert.deepEqual(wrongReasons(problem, answerOf(problem, schedule)), []);
  }
});

test('2 880 quarter-hours with tiers have the cheapest plan', () => {
  const problem = homeProblem(1, { quarters: 2880, fee: 'tiers' });
  const { schedule, isProven, gap } = solved(problem);
  assert.deepEqual(missesOf(problem, schedule), []);
  assert.ok(isProven, `gap ${gap}`);
});

test('a mean at the end of a tier is in it in spite of rounding', () => {
  const tiers = [
    { up_to_kw: 3, fee: 10 },
    { up_to_kw: 5, fee: 20 },
  ];
  const fee = { period: 'month', window_s: 3600, count: 1, one_per_day: true, tiers } as const;
  assert.equal(feeOf(fee, 3 + 1e-9), 10);
  assert.equal(feeOf(fee, 3.001), 20);
});
