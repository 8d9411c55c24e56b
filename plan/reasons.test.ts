import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { PeakFee, PlanProblem, PlanReason, PlanStorage } from '#contract/plan.ts';
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
    for (const { storages } of answer.steps)
      for (const { reason } of Object.values(storages)) if (reason) seen.add(reason.says!.key);
  }
  assert.ok(seen.size >= 14, [...seen].join());
});

test('a battery that may not sell covers the house while another one sells', () => {
  const storages = [
    { ...battery, start_wh: 2000, to_grid: false },
    { ...battery, id: 'seller', start_wh: 3000 },
  ];
  const problem = problemOf([2], { export_price: [1], storages });
  const schedule = {
    solarUsed: new Float64Array(1),
    storages: [1000, 3000].map((w) => ({ charge: new Float64Array(1), discharge: Float64Array.of(w) })),
  };
  const answer = answerOf(problem, schedule);
  assert.deepEqual(wrongReasons(problem, answer), []);
  assert.deepEqual(
    Object.values(answer.steps[0]!.storages).map(({ reason }) => reason?.code),
    ['discharge_dear', 'discharge_sell'],
  );
});

test('two storages that act in a step have a reason each', () => {
  const hungry = { ...car, charge_min_w: 0, goals: [{ step: 0, wh: 5000 }] };
  const problem = problemOf([1, 3], { storages: [battery, hungry] });
  const { steps } = answerOf(problem, solved(problem));
  const { reason, storages } = steps[0]!;
  assert.equal(storages.battery!.reason?.text, 'Charging 1.0 kW at 1.00 per kWh: saves 2.00 per kWh at 01:00.');
  assert.equal(storages.car!.reason?.text, 'Charging 3.0 kW at 1.00 per kWh, to have 5.0 kWh by 01:00.');
  assert.deepEqual(reason, storages.car!.reason, 'that of the higher power');
});

test('a car that charges from the battery does not charge from the sun', () => {
  const hungry = { ...car, charge_min_w: 0, goals: [{ step: 0, wh: 4000 }] };
  const problem = problemOf([1, 0.1], { storages: [{ ...battery, start_wh: 5000 }, hungry], load_w: [0, 0] });
  const answer = answerOf(problem, solved(problem));
  assert.deepEqual(wrongReasons(problem, answer), []);
  const { reason } = answer.steps[0]!.storages.car!;
  assert.deepEqual(
    [reason?.code, reason?.text],
    ['charge_goal', 'Charging 2.0 kW without buying energy, to have 4.0 kWh by 01:00.'],
  );
});

test('a reason with a wrong number is noticed', () => {
  const problem = dayOf(10);
  const { steps } = answerOf(problem, solved(problem));
  const planted = ({ text, ...reason }: PlanReason): PlanReason => ({
    ...reason,
    text: text.replace(/\d+\.\d+/, (number) => (Number(number) + 0.3).toFixed(number.split('.')[1]!.length)),
  });
  let count = 0;
  for (const [t, step] of steps.entries()) {
    const storages = Object.entries(step.storages).map(([id, storage]) => ({
      ...step,
      storages: { ...step.storages, [id]: { ...storage, ...(storage.reason && { reason: planted(storage.reason) }) } },
    }));
    for (const changed of [{ ...step, reason: planted(step.reason) }, ...storages]) {
      if (isDeepStrictEqual(changed, step)) continue;
      count++;
      assert.ok(wrongReasons(problem, { steps: steps.with(t, changed) }).length > 0, JSON.stringify(changed));
    }
  }
  assert.ok(count > 80, `${count}`);
});

test('the sentence of a plan says what it saves, and from what', () => {
  const problem = problemOf([1, 3], { storages: [battery] });
  const { saves, sentence } = savingsOf(problem, costOf(problem, solved(problem)));
  assert.equal(saves, 2);
  assert.equal(sentence, 'Saves 2.00 compared with self-consumption without a plan: 2.00 less for energy.');
  const same = problemOf([1]);
  assert.match(savingsOf(same, costOf(same, solved(same))).sentence, /^Costs as much as self-consumption/);
});
