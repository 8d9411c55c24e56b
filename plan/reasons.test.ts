import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PeakFee, PlanProblem, PlanStorage } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { costOf } from './schedule.ts';
import { savingsOf } from './sentence.ts';
import { loadSolver, solve } from './solve.ts';
import { wrongReasons } from './testing/check-reasons.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();
const solved = (problem: PlanProblem) => {
  const began = performance.now();
  return solve(highs, problem, { timeLimitMs: 5000, elapsed: () => performance.now() - began })!.schedule;
};
const fee: PeakFee = { period: 'month', window_s: 3600, count: 2, one_per_day: true, price_per_kw: 40 };
const car: PlanStorage = {
  ...battery,
  id: 'car',
  kind: 'car',
  discharge_w: 0,
  start_wh: 2000,
  charge_min_w: 1400,
  goals: [{ step: 20, wh: 7000 }],
};

/** Returns a day and a half with prices, sun and load that differ by seed. */
function dayOf(seed: number): PlanProblem {
  const wave = (n: number, speed: number): number => 0.5 + 0.5 * Math.sin(n * speed + seed * 1.7);
  const hours = Array.from({ length: 36 }, (_, n) => n);
  return problemOf(
    hours.map((n) => 0.3 + 2 * wave(n, 0.7) - (seed % 4 === 0 && n % 24 === 13 ? 1.5 : 0)),
    {
      export_price: hours.map((n) => 0.1 + 1.2 * wave(n, 0.7) * (seed % 3)),
      load_w: hours.map((n) => 400 + 3000 * wave(n, 1.3)),
      solar_w: hours.map((n) => (seed % 2) * Math.max(0, 5000 * Math.sin(((n % 24) - 6) / 4))),
      storages: [
        { ...battery, start_wh: 3000, min_wh: 1000, wear_per_kwh: 0.05, end_value_per_kwh: 0.5 * (seed % 3) },
        ...(seed % 5 === 0 ? [{ ...car, ...(seed % 2 === 0 && { end_value_per_kwh: 1 }) }] : []),
      ],
      peak_fees: seed % 2 === 0 ? [fee] : [],
    },
  );
}

test('every number of every reason follows from the plan', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 24; seed++) {
    const problem = dayOf(seed);
    const answer = answerOf(problem, solved(problem));
    assert.deepEqual(wrongReasons(problem, answer), [], `seed ${seed}`);
    for (const { reason } of answer.steps) seen.add(reason.code);
  }
  assert.ok(seen.size >= 7, [...seen].join());
});

test('a reason with a wrong number is noticed', () => {
  const problem = dayOf(2);
  const { steps } = answerOf(problem, solved(problem));
  for (const [t, { reason }] of steps.entries()) {
    const changed = reason.text.replace(/\d+\.\d+/, (text) => (Number(text) + 0.3).toFixed(text.split('.')[1]!.length));
    if (changed === reason.text) continue;
    const wrong = steps.with(t, { ...steps[t]!, reason: { ...reason, text: changed } });
    assert.equal(wrongReasons(problem, { steps: wrong }).length, 1, changed);
  }
});

test('the sentence of a plan says what it saves, and from what', () => {
  const problem = problemOf([1, 3], { storages: [battery] });
  const { saves, sentence } = savingsOf(problem, costOf(problem, solved(problem)));
  assert.equal(saves, 2);
  assert.equal(sentence, 'Saves 2.00 compared with self-consumption without a plan: 2.00 less for energy.');
  const same = problemOf([1]);
  assert.match(savingsOf(same, costOf(same, solved(same))).sentence, /^Costs as much as self-consumption/);
});
