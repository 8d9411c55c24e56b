import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { intentsOf, peakLimitsOf } from './intents.ts';
import { costOf } from './schedule.ts';
import { selfConsumption } from './self-consumption.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const intentOf = (problem: PlanProblem, charge: number, discharge: number) => {
  const powers = { charge: Float64Array.of(charge), discharge: Float64Array.of(discharge) };
  const { steps } = answerOf(problem, { solarUsed: Float64Array.from(problem.solar_w), storages: [powers] });
  const { mode, power_w } = intentsOf(problem, steps)[0]![problem.storages[0]!.id]!;
  return [mode, power_w];
};
const one = (more: Partial<PlanProblem> = {}, storage: Partial<PlanStorage> = {}): PlanProblem =>
  problemOf([1], { storages: [{ ...battery, start_wh: 5000, ...storage }], ...more });

suite('the intent of a step', () => {
  const sunny = { solar_w: [4000] }; // 3 kW of surplus
  for (const { says, problem, charge = 0, discharge = 0, intent } of [
    { says: 'charges from the grid with its power', problem: one(), charge: 2000, intent: ['charge', 2000] },
    { says: 'stores all surplus that there is', problem: one(sunny), charge: 3000, intent: ['store', 5000] },
    {
      says: 'stores a part of the surplus and sells the rest',
      problem: one(sunny),
      charge: 1000,
      intent: ['store', 1000],
    },
    { says: 'covers the house whatever it needs', problem: one(), discharge: 1000, intent: ['cover', 5000] },
    { says: 'covers a part of the house', problem: one(), discharge: 400, intent: ['cover', 400] },
    { says: 'sells from the battery', problem: one(), discharge: 3000, intent: ['discharge', 3000] },
    { says: 'keeps what is stored, but takes unexpected surplus', problem: one(), intent: ['store', 5000] },
    { says: 'sells all surplus on purpose', problem: one(sunny), intent: ['hold', 0] },
    { says: 'bridges clouds while full', problem: one(sunny, { start_wh: 10_000 }), intent: ['cover', 5000] },
    {
      says: 'charges a car with its least power also from the sun',
      problem: one(sunny, { charge_min_w: 1400 }),
      charge: 3000,
      intent: ['charge', 3000],
    },
    {
      says: 'charges for a goal also from the sun',
      problem: one(sunny, { goals: [{ step: 0, wh: 8000 }] }),
      charge: 3000,
      intent: ['charge', 3000],
    },
    {
      says: 'stores all surplus beyond its goal',
      problem: one(sunny, { goals: [{ step: 0, wh: 6000 }] }),
      charge: 3000,
      intent: ['store', 5000],
    },
  ])
    test(says, () => assert.deepEqual(intentOf(problem, charge, discharge), intent));
});

suite('the limit of a window', () => {
  const fee = { period: 'month', window_s: 3600, count: 2, one_per_day: true, price_per_kw: 10 } as const;
  const earlier = [
    { day: '2026-01-03', kw: 4 },
    { day: '2026-01-04', kw: 2 },
  ];

  test('is the lowest peak that is charged', () => {
    const problem = problemOf([1, 1, 1], { storages: [], peak_fees: [{ ...fee, peaks_so_far: earlier }] });
    assert.deepEqual(peakLimitsOf(problem, [1000, 1000, 500]), [2000, 2000, 2000]);
    assert.deepEqual(peakLimitsOf(problem, [1000, 3000, 500]), [3000, 3000, 3000]); // this day is charged with 3 kW
  });

  test('follows weights, and is missing for hours that do not count', () => {
    const weighted = { ...fee, peaks_so_far: earlier, weight: [1, 0.5, 1], counted: [true, true, false] };
    const problem = problemOf([1, 1, 1], { storages: [], peak_fees: [weighted] });
    assert.deepEqual(peakLimitsOf(problem, [1000, 1000, 9000]), [2000, 4000, undefined]);
  });
});

suite('self-consumption', () => {
  test('stores surplus, covers the house, and leaves prices aside', () => {
    const storages = [{ ...battery, start_wh: 1500 }];
    const problem = problemOf([9, 1, 1], { solar_w: [0, 0, 4000], storages });
    const [{ charge, discharge }] = selfConsumption(problem).storages as [
      { charge: Float64Array; discharge: Float64Array },
    ];
    assert.deepEqual([...discharge], [1000, 500, 0]);
    assert.deepEqual([...charge], [0, 0, 3000]);
    assert.equal(costOf(problem, selfConsumption(problem)).energy, 0.5);
  });

  test('charges a car as soon as it is connected, which the battery does not know in advance', () => {
    const car: PlanStorage = {
      ...battery,
      id: 'car',
      kind: 'car',
      discharge_w: 0,
      charge_min_w: 4000,
      present: [false, true, true],
      max_wh: 6000,
    };
    const { storages } = selfConsumption(problemOf([1, 1, 1], { storages: [{ ...battery, start_wh: 500 }, car] }));
    assert.deepEqual([...storages[1]!.charge], [0, 5000, 1000]);
  });
});
