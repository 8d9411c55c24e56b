import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import { planByLevels } from './dynamic-program.ts';
import { costOf, gridOf, missesOf } from './schedule.ts';
import { loadSolver, solve } from './solve.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();

function solved(problem: PlanProblem) {
  const found = solve(highs, problem, { timeLimitMs: 20_000, elapsed: () => 0 });
  assert.ok(found, 'no plan');
  assert.ok(found.isProven);
  return found.schedule;
}

suite('storages that may not use the grid', () => {
  test('charge from surplus only', () => {
    const storages = [{ ...battery, from_grid: false, end_value_per_kwh: 9 }];
    const { charge } = solved(problemOf([1, 1], { solar_w: [0, 4000], storages })).storages[0]!;
    assert.deepEqual([...charge].map(Math.round), [0, 3000]);
  });

  test('may be charged by another one', () => {
    const car: PlanStorage = { ...battery, id: 'car', kind: 'car', from_grid: false, discharge_w: 0 };
    const storages = [
      { ...battery, start_wh: 5000 },
      { ...car, goals: [{ step: 0, wh: 3000 }] },
    ];
    const problem = problemOf([1], { storages });
    const schedule = solved(problem);
    assert.deepEqual(missesOf(problem, schedule), []);
    assert.ok(Math.abs(gridOf(problem, schedule)[0]!) <= 0.5);
  });

  test('discharge for the house only', () => {
    const storages = [{ ...battery, start_wh: 5000, to_grid: false }];
    const { discharge } = solved(problemOf([1], { export_price: [5], storages })).storages[0]!;
    assert.equal(Math.round(discharge[0]!), 1000);
  });
});

test('a battery does not charge from a grid that costs nothing when it may not', () => {
  const prices = [0, 0, 1, 0, 0, 1];
  const problem = problemOf(prices, {
    export_price: prices.map((price) => price - 0.3),
    load_w: [500, 0, 3000, 500, 1000, 3000],
    solar_w: [3000, 3000, 0, 6000, 500, 0],
    storages: [{ ...battery, from_grid: false, charge_w: 2000, end_value_per_kwh: 0.3 }],
  });
  const schedule = solved(problem);
  const grid = gridOf(problem, schedule);
  for (const [t, charged] of schedule.storages[0]!.charge.entries()) {
    const surplus = Math.max(0, schedule.solarUsed[t]! - problem.load_w[t]!);
    assert.ok(grid[t]! < 0.5 || charged < surplus + 0.5, `step ${t}`);
  }
});

test('a battery makes room in the sun for an hour in which buying is paid for', () => {
  const storages = [{ ...battery, to_grid: false, start_wh: 10_000 }];
  const more = { export_price: [-0.5, -0.5], load_w: [2000, 0], solar_w: [3000, 0], storages };
  const problem = problemOf([0.1, -0.4], more);
  const schedule = solved(problem);
  assert.equal(Math.round(schedule.storages[0]!.discharge[0]!), 2000);
  assert.ok(Math.abs(costOf(problem, schedule).total + 0.8) < 1e-5);
});

test('a battery that may not sell charges a car that may not buy', () => {
  const home = { ...battery, start_wh: 3000, to_grid: false };
  const car = { ...battery, id: 'car', start_wh: 1000, discharge_w: 0, from_grid: false, end_value_per_kwh: 0.3 };
  const more = { export_price: [1], load_w: [0], solar_w: [500], solar_curtailable: false, storages: [home, car] };
  const problem = problemOf([1], more);
  const schedule = solved(problem);
  assert.ok(Math.abs(gridOf(problem, schedule)[0]!) < 0.5);
  assert.equal(Math.round(schedule.storages[1]!.charge[0]!), 3500);
});

test('two batteries that may not sell discharge together as much as the house needs', () => {
  const storages = ['one', 'two'].map((id) => ({ ...battery, id, to_grid: false, start_wh: 5000 }));
  const problem = problemOf([2, 1], { export_price: [1.5, 1.5], load_w: [1700, 0], storages });
  const schedule = solved(problem);
  assert.ok(Math.abs(gridOf(problem, schedule)[0]!) < 0.5);
  assert.ok(Math.abs(costOf(problem, schedule).total) < 1e-5);
});

test('two batteries that may not buy charge together as much as the sun leaves', () => {
  const sunny = { ...battery, from_grid: false, end_value_per_kwh: 3 };
  const storages = ['one', 'two'].map((id) => ({ ...sunny, id, discharge_w: 0 }));
  const problem = problemOf([1], { load_w: [500], solar_w: [2500], storages });
  assert.ok(Math.abs(costOf(problem, solved(problem)).total + 6) < 1e-5);
});

test('two batteries that may not buy charge together from the sun where buying is paid for', () => {
  const storages = ['one', 'two'].map((id) => ({ ...battery, id, from_grid: false, end_value_per_kwh: 1 }));
  const problem = problemOf([-0.2], { export_price: [-0.5], load_w: [500], solar_w: [2500], storages });
  assert.ok(Math.abs(costOf(problem, solved(problem)).total + 2) < 1e-5);
});

test('without the solver, a storage that may buy does not let another one charge from the grid', () => {
  const sunny = { ...battery, charge_w: 2000, from_grid: false, end_value_per_kwh: 2 };
  const helping = { ...battery, id: 'helping', start_wh: 2000, charge_w: 0, discharge_w: 2000 };
  const storages = [helping, sunny, { ...battery, id: 'car', charge_w: 3000, discharge_w: 0, end_value_per_kwh: 2 }];
  const problem = problemOf([1], { export_price: [0.9], load_w: [0], storages });
  const schedule = planByLevels(problem);
  assert.ok(gridOf(problem, schedule)[0]! < 0.5 || schedule.storages[1]!.charge[0]! < 0.5);
});

test('without the solver, a battery that may not buy charges from the sun where buying is paid for', () => {
  const storages = [{ ...battery, charge_w: 2000, from_grid: false, end_value_per_kwh: 2 }];
  const problem = problemOf([-0.1], { export_price: [-0.5], load_w: [0], solar_w: [2000], storages });
  const schedule = planByLevels(problem);
  assert.ok(gridOf(problem, schedule)[0]! < 0.5);
  assert.equal(Math.round(schedule.storages[0]!.charge[0]!), 2000);
});
