import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import { costOf, gridOf, missesOf, type Schedule } from './schedule.ts';
import { loadSolver, solve } from './solve.ts';
import { homeProblem } from './testing/home-problem.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();
const days = 20;
const isAway = (hour: number): boolean => hour % 24 >= 7 && hour % 24 < 16;
const hours = Array.from({ length: 24 * days }, (_, n) => n);
const price = (hour: number): number => 1 + 0.4 * Math.sin(hour * 0.9) + 0.2 * Math.sin(hour * 0.37);
const nights = Array.from({ length: days }, (_, n) => n);

/** A car over 20 days, which drives 8.5 kWh a day and charges with 4 to 5 kW. */
const problem = problemOf(hours.map(price), {
  storages: [
    {
      ...battery,
      id: 'car',
      kind: 'car',
      capacity_wh: 60_000,
      max_wh: 60_000,
      start_wh: 20_000,
      discharge_w: 0,
      charge_min_w: 4000,
      present: hours.map((hour) => !isAway(hour)),
      use_wh: hours.map((hour) => (hour % 24 === 7 ? 8500 : 0)),
      goals: nights.map((n) => ({ step: n * 24 + 6, wh: 28_500 })),
    },
  ],
});

/** Solves with a clock that stands still, so that nothing depends on the speed of the machine. */
function solved(asked = problem): { schedule: Schedule; gap: number } {
  const found = solve(highs, asked, { timeLimitMs: 60_000, elapsed: () => 0 });
  assert.ok(found, 'no plan');
  return found;
}

test('a car over many days charges with its least power or more, and costs no more than the best of each night', () => {
  const { schedule, gap } = solved();
  assert.deepEqual(missesOf(problem, schedule), []);
  for (const [t, w] of schedule.storages[0]!.charge.entries())
    assert.ok(w === 0 || (w > 3999.9 && w < 5000.1 && !isAway(t)), `${w} W in hour ${t}`);
  const ofNights = nights.map((n) => {
    const stay = hours.filter((hour) => Math.floor((hour + 8) / 24) === n && !isAway(hour));
    const [first, second] = stay.map(price).toSorted((a, b) => a - b);
    return 4.5 * first! + 4 * second!;
  });
  const load = hours.reduce((sum, hour) => sum + price(hour), 0);
  const most = ofNights.reduce((sum, cost) => sum + cost, load);
  const { total } = costOf(problem, schedule);
  assert.ok(total < most + 1e-3, `${total} instead of ${most}`);
  assert.ok(gap > 0 && gap < 0.005, `gap ${gap}`);
});

test('the same problem has the same plan', () => {
  assert.deepEqual(solved(), solved());
});

const usual = { quarters: 192, hours: 22 * 24, cars: 1 } as const;

/** Returns a home whose car begins nearly empty and is to be full at each departure. */
function withFullCar(seed: number): PlanProblem {
  const home = homeProblem(seed, usual);
  const [store, car] = home.storages as [PlanStorage, PlanStorage];
  const goals = (car.goals ?? []).map(({ step }) => ({ step, wh: car.max_wh }));
  return { ...home, storages: [store, { ...car, start_wh: 1000, goals }] };
}

test('a car that cannot be charged in time misses its goal, and nothing else', () => {
  const outOfReach = withFullCar(1);
  assert.deepEqual(
    missesOf(outOfReach, solved(outOfReach).schedule).map(({ what, storage }) => [what, storage]),
    [['goal', 'car 1']],
  );
  const inReach = withFullCar(2);
  assert.deepEqual(missesOf(inReach, solved(inReach).schedule), []);
});

test('a battery that is for the house only sells nothing while a car charges, at nearly the least cost', () => {
  const home = homeProblem(1, { ...usual, fee: 'tiers' });
  const [store, car] = home.storages as [PlanStorage, PlanStorage];
  const asked: PlanProblem = { ...home, solar_curtailable: false, storages: [{ ...store, to_grid: false }, car] };
  const { schedule, gap } = solved(asked);
  const grid = gridOf(asked, schedule);
  for (const [t, w] of schedule.storages[0]!.discharge.entries()) {
    const needed = Math.max(0, asked.load_w[t]! - asked.solar_w[t]!);
    assert.ok(grid[t]! > -0.5 || w < needed + 0.5, `${w} W in step ${t}, which sells ${-grid[t]!} W`);
  }
  assert.ok(gap < 0.005, `gap ${gap}`);
});
