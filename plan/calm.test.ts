import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanProblem } from '#contract/plan.ts';
import { calmed } from './calm.ts';
import { costOf, missesOf, type Schedule } from './schedule.ts';
import { loadSolver, solve } from './solve.ts';
import { homeProblem } from './testing/home-problem.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();

const scheduleOf = (charge: number[], discharge: number[]): Schedule => ({
  solarUsed: new Float64Array(charge.length),
  storages: [{ charge: Float64Array.from(charge), discharge: Float64Array.from(discharge) }],
});

const powersOf = ({ storages: [powers] }: Schedule): number[] =>
  Array.from(powers!.charge, (w, t) => w - powers!.discharge[t]!);

const full = { ...battery, start_wh: 10_000 };

test('energy is spread evenly over steps of equal prices', () => {
  const problem = problemOf([1, 1, 1, 2, 2, 2], { storages: [battery] });
  const calm = calmed(problem, scheduleOf([0, 2000, 1000, 0, 0, 0], [0, 0, 0, 900, 0, 600]));
  assert.deepEqual(powersOf(calm), [1000, 1000, 1000, -500, -500, -500]);
});

test('what the house does not need is not discharged', () => {
  const problem = problemOf([2, 2, 2], { storages: [full], load_w: [100, 1000, 1000] });
  assert.deepEqual(powersOf(calmed(problem, scheduleOf([0, 0, 0], [0, 1000, 300]))), [-100, -600, -600]);
});

test('the sun is stored as early as possible', () => {
  const problem = problemOf([1, 1, 1], { solar_w: [2000, 3000, 3000] });
  const calm = calmed(problem, {
    ...scheduleOf([0, 500, 1500], [0, 0, 0]),
    solarUsed: Float64Array.of(2000, 3000, 3000),
  });
  assert.deepEqual(powersOf(calm), [1000, 1000, 0]);
});

test('a car with a least power charges in one piece', () => {
  const car = { ...battery, charge_min_w: 1400 };
  const calm = calmed(problemOf([1, 1, 1, 1], { storages: [car] }), scheduleOf([0, 4000, 0, 3000], [0, 0, 0, 0]));
  assert.deepEqual(powersOf(calm), [4000, 3000, 0, 0]);
});

for (const [why, more] of [
  ['a power charge grows', { load_w: [1000, 3000, 1000], peak_fees: [fee()] }],
  ['a limit of the import is exceeded', { load_w: [1000, 3000, 1000], grid: { import_limit_w: 1200 } }],
  [
    'a goal is missed',
    {
      storages: [
        {
          ...full,
          goals: [
            { step: 0, wh: 10_000 },
            { step: 1, wh: 8000 },
          ],
        },
      ],
    },
  ],
  ['it is away', { storages: [{ ...full, present: [false, true, false] }] }],
] satisfies [string, Partial<PlanProblem>][])
  test(`nothing is moved where ${why}`, () => {
    const problem = problemOf([1, 1, 1], { storages: [full], ...more });
    assert.deepEqual(powersOf(calmed(problem, scheduleOf([0, 0, 0], [0, 2000, 0]))), [0, -2000, 0]);
  });

function fee(): NonNullable<PlanProblem['peak_fees']>[number] {
  return { period: 'month', window_s: 3600, count: 1, one_per_day: true, price_per_kw: 50 };
}

test('plans of generated homes change less often and cost the same', () => {
  let [before, after] = [0, 0];
  for (let seed = 1; seed <= 8; seed++) {
    const problem = withHourlyPrices(homeProblem(seed, { quarters: 96, cars: seed % 2 }));
    const found = solve(highs, problem, { timeLimitMs: 20_000, elapsed: () => 0 });
    assert.ok(found);
    const calm = calmed(problem, found.schedule);
    assert.ok(costOf(problem, calm).total <= costOf(problem, found.schedule).total + 1e-6);
    assert.deepEqual(missesOf(problem, calm), missesOf(problem, found.schedule));
    before += changes(problem, found.schedule);
    after += changes(problem, calm);
  }
  assert.ok(after < 0.4 * before, `${after} instead of ${before} changes`);
});

const withHourlyPrices = (problem: PlanProblem): PlanProblem => {
  const hourly = (prices: number[]): number[] => prices.map((_, t) => prices[t - (t % 4)]!);
  return { ...problem, import_price: hourly(problem.import_price), export_price: hourly(problem.export_price) };
};

/** Counts steps in which a storage begins or ends within an hour. */
function changes({ steps_s }: PlanProblem, { storages }: Schedule): number {
  return storages.reduce((count, { charge, discharge }) => {
    const isActive = (t: number): boolean => charge[t]! > 20 || discharge[t]! > 20;
    return count + steps_s.filter((_, t) => t % 4 !== 0 && isActive(t) !== isActive(t - 1)).length;
  }, 0);
}

test('no energy is lost where another storage charges from the grid', () => {
  const sunny = { ...battery, from_grid: false };
  const problem = problemOf([1, 1], { solar_w: [3000, 3000], storages: [sunny, { ...battery, id: 'car' }] });
  const schedule = {
    solarUsed: Float64Array.of(3000, 3000),
    storages: [...scheduleOf([500, 1500], [0, 0]).storages, ...scheduleOf([5000, 5000], [0, 0]).storages],
  };
  assert.deepEqual(powersOf(calmed(problem, schedule)), [500, 1500]);
});

test('a storage that may not use the grid is still charged by another one', () => {
  const storages = [full, { ...battery, id: 'tank', from_grid: false }];
  const problem = problemOf([1, 1], { export_price: [1, 1], load_w: [3000, 0], storages });
  const schedule = {
    solarUsed: new Float64Array(2),
    storages: [...scheduleOf([0, 0], [500, 2000]).storages, ...scheduleOf([0, 2000], [0, 0]).storages],
  };
  assert.deepEqual(powersOf(calmed(problem, schedule)), [-500, -2000]);
});

test('two storages that may not use the grid are together still charged by another one', () => {
  const sunny = { ...battery, from_grid: false };
  const storages = [full, { ...sunny, id: 'tank' }, { ...sunny, id: 'car' }];
  const more = { export_price: [1, 1], load_w: [0, 1000], solar_w: [2000, 0], storages };
  const schedule = {
    solarUsed: Float64Array.of(2000, 0),
    storages: [[0, 0, 1000, 0] as const, [1500, 0, 0, 0] as const, [1500, 0, 0, 0] as const].flatMap(
      ([a, b, c, d]) => scheduleOf([a, b], [c, d]).storages,
    ),
  };
  assert.deepEqual(powersOf(calmed(problemOf([1, 1], more), schedule)), [-1000, 0]);
});

test('a storage beyond its limits returns to them at once', () => {
  const low = { ...battery, min_wh: 1000 };
  const charged = calmed(problemOf([1, 1], { storages: [low] }), scheduleOf([1500, 500], [0, 0]));
  assert.deepEqual(powersOf(charged), [1500, 500]);
  const above = { ...full, max_wh: 9500 };
  const emptied = calmed(problemOf([1, 1], { storages: [above] }), scheduleOf([0, 0], [500, 300]));
  assert.deepEqual(powersOf(emptied), [-500, -300]);
});
