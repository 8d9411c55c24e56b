import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import type { PlanAnswer, PlanProblem, PlanStorage } from '#contract/plan.ts';
import { answerOf } from './answer.ts';
import { planByLevels } from './dynamic-program.ts';
import { plan } from './planner.ts';
import { costOf, missesOf, type Schedule } from './schedule.ts';
import { loadSolver, solve } from './solve.ts';
import { battery, problemOf } from './testing/problem-of.ts';

const highs = await loadSolver();

/** Solves in this process; threads are tested once. */
function solved(problem: PlanProblem): Schedule {
  const began = performance.now();
  const found = solve(highs, problem, { timeLimitMs: 20_000, elapsed: () => performance.now() - began });
  assert.ok(found, 'no plan');
  return found.schedule;
}

const totalOf = (problem: PlanProblem): number => costOf(problem, solved(problem)).total;

const near = (actual: number, expected: number, tolerance = 1e-5): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

test('the plan without the solver takes about as long for many storages as for a few', () => {
  const prices = Array.from({ length: 12 }, (_, t) => 1 + Math.sin(t));
  const cpuMs = (count: number): number => {
    const storages = Array.from({ length: count }, (_, n) => ({ ...battery, id: `${n}` }));
    const before = process.cpuUsage();
    planByLevels(problemOf(prices, { storages }));
    return process.cpuUsage(before).user / 1000;
  };
  cpuMs(4); // compiles
  assert.ok(cpuMs(16) < 2 * cpuMs(4));
});

suite('the cheapest plan', () => {
  test('stores cheap energy for dear hours', () => {
    // 1 kWh of load in each hour; the second is bought in the first.
    near(totalOf(problemOf([1, 3])), 2);
  });

  test('pays for losses and wear only where they pay', () => {
    const lossy = { ...battery, charge_efficiency: 0.9, discharge_efficiency: 0.9, wear_per_kwh: 0.1 };
    near(totalOf(problemOf([1, 1.3], { storages: [lossy] })), 2.3); // 1 / 0.81 + 0.1 is more than 1.3
    near(totalOf(problemOf([1, 3], { storages: [lossy] })), 1 + 1 / 0.81 + 0.1);
  });

  test('values what is stored at the end', () => {
    const storages = [{ ...battery, end_value_per_kwh: 2, max_wh: 3000 }];
    near(totalOf(problemOf([1], { storages })), 1 + 3 - 6);
  });

  test('uses less of the sun when selling costs, unless that is impossible', () => {
    const sunny = { load_w: [0], solar_w: [2000], export_price: [-0.5], storages: [] };
    near(totalOf(problemOf([1], sunny)), 0);
    near(totalOf(problemOf([1], { ...sunny, solar_curtailable: false })), 1);
  });

  test('does not buy and sell at once where selling pays more', () => {
    near(totalOf(problemOf([1], { export_price: [2], storages: [] })), 1);
  });

  test('does not burn energy in a battery when prices are negative', () => {
    const lossy = { ...battery, charge_efficiency: 0.5, discharge_efficiency: 0.5, max_wh: 1000 };
    const problem = problemOf([-1, -1, -1], { export_price: [-1, -1, -1], storages: [lossy] });
    const { storages } = solved(problem);
    const { charge, discharge } = storages[0]!;
    for (const [t, w] of charge.entries()) assert.ok(w < 0.01 || discharge[t]! < 0.01, `both in step ${t}`);
    near(totalOf(problem), costOf(problem, bruteForce(problem, 500)).total, 1e-4);
  });

  test('keeps what a storage loses by itself', () => {
    const storages = [{ ...battery, start_wh: 1000, discharge_w: 0, charge_w: 0, loss_per_hour: 0.1 }];
    const { steps } = answerOf(problemOf([1, 1], { storages }), solved(problemOf([1, 1], { storages })));
    near(steps[1]!.storages.battery!.wh, 810);
  });
});

suite('peak fees', () => {
  const fee = { period: 'month', window_s: 3600, count: 1, one_per_day: true, price_per_kw: 10 } as const;
  const full = { ...battery, start_wh: 2000, max_wh: 2000, end_value_per_kwh: 1 };

  test('pay for a battery that lowers the peak', () => {
    const problem = problemOf([1, 1], { load_w: [1000, 5000], storages: [full], peak_fees: [fee] });
    near(costOf(problem, solved(problem)).peaks, 30);
  });

  test('do not pay for what is below a peak that is already due', () => {
    const peaks_so_far = [{ day: '2026-01-03', kw: 6 }];
    const problem = problemOf([1, 1], { load_w: [1000, 5000], peak_fees: [{ ...fee, peaks_so_far }] });
    near(costOf(problem, solved(problem)).peaks, 0);
  });

  test('are the mean of the highest days, with one peak of each', () => {
    const two = { ...fee, count: 2, peaks_so_far: [{ day: '2026-01-03', kw: 4 }] };
    // The mean of 4 and 5 kW, instead of the 4 kW that are due; the second peak of this day does not count.
    const problem = problemOf([1, 1], { load_w: [5000, 5000], storages: [], peak_fees: [two] });
    near(costOf(problem, solved(problem)).peaks, 5);
  });

  test('count each window of a day when several may count', () => {
    const all = { ...fee, count: 2, one_per_day: false };
    const problem = problemOf([1, 1], { load_w: [5000, 3000], storages: [], peak_fees: [all] });
    near(costOf(problem, solved(problem)).peaks, 40);
  });

  test('follow counted hours, weights and months', () => {
    const counted = { ...fee, counted: [false, true], weight: [1, 0.5] };
    const problem = problemOf([1, 1], { load_w: [9000, 4000], storages: [], peak_fees: [counted] });
    near(costOf(problem, solved(problem)).peaks, 20);
    const months = problemOf([1, 1], { start: '2026-01-31T23:00:00+01:00', load_w: [2000, 3000], storages: [] });
    near(totalOf({ ...months, peak_fees: [fee] }), 5 + 50);
  });

  test('average quarter-hours over an aligned window, also when only a part of it is planned', () => {
    const problem = {
      ...problemOf([1, 1, 1], { start: '2026-01-15T00:30:00+01:00', load_w: [2000, 4000, 1000], storages: [] }),
      steps_s: [900, 900, 900],
    };
    near(costOf({ ...problem, peak_fees: [fee] }, solved({ ...problem, peak_fees: [fee] })).peaks, 30);
  });

  test('have two windows in the hour that occurs twice', () => {
    const start = '2026-10-25T02:00:00+02:00';
    const all = { ...fee, count: 2, one_per_day: false };
    const problem = problemOf([1, 1], { start, load_w: [2000, 4000], storages: [], peak_fees: [all] });
    near(costOf(problem, solved(problem)).peaks, 30);
  });

  test('with tiers stay in the tier that is cheaper in all', () => {
    const tiers = [
      { up_to_kw: 2, fee: 83 },
      { up_to_kw: 5, fee: 147 },
    ];
    const { price_per_kw: _, ...rest } = fee;
    const tiered = { ...rest, tiers };
    const problem = problemOf([1, 1.5], { load_w: [1000, 2900], storages: [battery], peak_fees: [tiered] });
    const schedule = solved(problem);
    assert.ok(missesOf(problem, schedule).length === 0);
    near(costOf(problem, schedule).peaks, 0); // both hours stay below 2 kW, and 83 are due anyway
    near(costOf(problem, schedule).energy, 2 + 1.9 * 1.5, 1e-3);
  });
});

suite('rules that cannot be kept', () => {
  test('a goal out of reach is missed by as little as possible', () => {
    const storages = [{ ...battery, charge_w: 1000, goals: [{ step: 1, wh: 5000 }] }];
    const problem = problemOf([1, 1], { storages });
    assert.deepEqual(missesOf(problem, solved(problem)), [{ what: 'goal', storage: 'battery', wh: 3000 }]);
  });

  test('the import limit comes before a goal', () => {
    const storages = [{ ...battery, goals: [{ step: 0, wh: 5000 }] }];
    const problem = problemOf([1], { grid: { import_limit_w: 3000 }, storages });
    assert.deepEqual(missesOf(problem, solved(problem)), [{ what: 'goal', storage: 'battery', wh: 3000 }]);
  });

  test('the limits of a storage come before the import limit', () => {
    const storages = [{ ...battery, min_wh: 2000, start_wh: 1000 }];
    const problem = problemOf([1], { load_w: [3000], grid: { import_limit_w: 3000 }, storages });
    assert.deepEqual(missesOf(problem, solved(problem)), [{ what: 'import_limit', storage: null, wh: 1000 }]);
  });

  test('an import limit with a price is exceeded where that is cheaper', () => {
    const grid = { import_limit_w: 500, over_import_price_per_kw: 8 };
    near(totalOf(problemOf([1], { grid, storages: [] })), 1 + 4);
  });

  test('what must be charged is charged until the storage is full', () => {
    const storages = [{ ...battery, max_wh: 1500, must_charge_w: [1000, 1000, 1000] }];
    const problem = problemOf([5, 5, 5], { storages });
    assert.deepEqual(missesOf(problem, solved(problem)), []);
  });
});

suite('a car', () => {
  const car: PlanStorage = { ...battery, id: 'car', kind: 'car', discharge_w: 0, charge_w: 7000, charge_min_w: 4000 };

  test('charges with its least power or more', () => {
    const storages = [{ ...car, goals: [{ step: 2, wh: 9000 }] }];
    const { charge } = solved(problemOf([1, 2, 1], { storages })).storages[0]!;
    assert.deepEqual(
      [...charge].map(Math.round).toSorted((a, b) => a - b),
      [0, 4000, 5000],
    );
  });

  test('charges with less only in the step in which it becomes full', () => {
    const storages = [{ ...car, start_wh: 9000, goals: [{ step: 1, wh: 10_000 }] }];
    const problem = problemOf([2, 1], { storages });
    const { charge } = solved(problem).storages[0]!;
    assert.deepEqual([...charge].map(Math.round), [0, 1000]);
    assert.deepEqual(missesOf(problem, solved(problem)), []);
  });

  test('does nothing while it is away', () => {
    const storages = [{ ...car, present: [false, true], use_wh: [1000, 0], start_wh: 5000, end_value_per_kwh: 9 }];
    const { charge } = solved(problemOf([1, 5], { storages })).storages[0]!;
    assert.equal(charge[0], 0);
    assert.ok(charge[1]! > 4000);
  });
});

suite('compared with other ways', () => {
  const random = (seed: number) => {
    let state = seed;
    return (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
  };
  const generated = (seed: number): PlanProblem => {
    const next = random(seed);
    const prices = Array.from({ length: 5 }, () => Math.round(next() * 30) / 10 - 0.3);
    const of = (most: number): number[] => prices.map(() => 500 * Math.floor((next() * most) / 500));
    return problemOf(prices, {
      export_price: prices.map((price) => price - 0.4),
      load_w: of(3000),
      solar_w: of(4000),
      solar_curtailable: seed % 2 === 0,
      storages: [{ ...battery, max_wh: 2000, start_wh: 1000, charge_w: 1000, discharge_w: 1500, wear_per_kwh: 0.1 }],
    });
  };

  test('no schedule of whole steps is cheaper', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const problem = generated(seed);
      near(totalOf(problem), costOf(problem, bruteForce(problem, 500)).total, 1e-4);
    }
  });

  test('the plan without the solver keeps the rules and costs little more', () => {
    let [best, coarse] = [0, 0];
    for (let seed = 1; seed <= 40; seed++) {
      const problem = generated(seed);
      const schedule = planByLevels(problem);
      assert.deepEqual(missesOf(problem, schedule), []);
      const [least, cost] = [totalOf(problem), costOf(problem, schedule).total];
      assert.ok(cost > least - 1e-4, `seed ${seed} is cheaper than the best`);
      best += least;
      coarse += cost;
    }
    assert.ok(coarse - best < 0.02 * Math.abs(best), `${coarse} instead of ${best}`);
  });
});

suite('an answer', () => {
  const evening = problemOf([0.5, 0.6, 2, 2.4], { storages: [{ ...battery, wear_per_kwh: 0.05 }] });

  test('is the same twice, and adds up', async () => {
    const [one, two] = await Promise.all([plan(evening), plan(evening)]);
    assert.deepEqual({ ...one, ms: 0 }, { ...two, ms: 0 });
    assert.equal(one.status, 'optimal');
    const { energy, peaks, wear, over_import, end_value, total } = one.cost;
    near(total, energy + peaks + wear + over_import - end_value);
    let level = 0;
    for (const [t, { grid_w, storages }] of one.steps.entries()) {
      const { charge_w, discharge_w, wh } = storages.battery!;
      near(grid_w, evening.load_w[t]! + charge_w - discharge_w, 0.5);
      level += charge_w - discharge_w;
      near(wh, level, 0.01);
    }
  });

  test('that costs nothing is proven the cheapest', async () => {
    const peaks_so_far = [1.9, 3.2, 5.2].map((kw, n) => ({ day: `2026-01-0${n + 6}`, kw }));
    const fee = {
      period: 'month',
      window_s: 3600,
      count: 3,
      one_per_day: false,
      price_per_kw: 100,
      peaks_so_far,
    } as const;
    const storages = [{ ...battery, start_wh: 8707, charge_efficiency: 0.85, discharge_efficiency: 0.9 }];
    const { status, gap, cost } = await plan(problemOf([2.1], { load_w: [608], storages, peak_fees: [fee] }));
    assert.deepEqual([status, gap], ['optimal', 0]);
    near(cost.total, 0);
  });

  test('is given without the solver when that is late', async () => {
    const answer = await plan(evening, { timeLimitMs: 0.001 });
    assert.equal(answer.status, 'time_limit');
    assert.deepEqual(answer.relaxed, []);
    near(answer.cost.total, (await plan(evening)).cost.total, 0.2);
  });

  test('fails when threads end before they are loaded, and the next one is found', async () => {
    const dropped = new AbortController();
    const given = plan(evening, { signal: dropped.signal }); // takes the thread that is kept
    dropped.abort();
    await assert.rejects(given);
    const failures: string[] = [];
    const end = (worker: Worker): void => void worker.terminate();
    process.on('worker', end);
    const says = /^The thread that plans ended with code \d before it was loaded\.$/;
    const failing = plan(evening, { onFailure: (error) => failures.push(error.message) });
    await assert.rejects(failing, ({ message }) => says.test(message)).finally(() => process.off('worker', end));
    assert.match(failures[0]!, says);
    assert.equal((await plan(evening)).status, 'optimal');
  });

  test('is not waited for after it was given up, and the next one is found', async () => {
    const giveUp = new AbortController();
    const failures: Error[] = [];
    const { signal } = giveUp;
    const waiting = plan(evening, { signal, onFailure: (error) => failures.push(error) });
    giveUp.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.deepEqual(failures, []);
    await assert.rejects(plan(evening, { signal }), { name: 'AbortError' });
    assert.ok((await plan(evening)).steps.length > 0);
  });

  test('names the saving of a charge by the prices of both steps', async () => {
    const { steps } = await plan(evening);
    const charge = steps.find(({ reason }) => reason.code === 'charge_cheap')!;
    const [, bought, saved, hour] = /at (\d+\.\d\d) per kWh: saves (\d+\.\d\d) per kWh at (\d\d):00\.$/
      .exec(charge.reason.text)!
      .map(Number);
    near(saved!, evening.import_price[hour!]! - 0.05 - bought!, 0.0051);
    near(bought!, evening.import_price[steps.indexOf(charge)]!, 0.0051);
  });

  test('names the fee that a discharge avoids', () => {
    const fee = { period: 'month', window_s: 3600, count: 1, one_per_day: true, price_per_kw: 45 } as const;
    const storages = [{ ...battery, start_wh: 2000, end_value_per_kwh: 1 }];
    const problem = problemOf([1, 1], { load_w: [1000, 5000], storages, peak_fees: [fee] });
    const { steps }: Pick<PlanAnswer, 'steps'> = answerOf(problem, solved(problem));
    const { grid_w, reason } = steps[1]!;
    assert.equal(
      reason.text,
      `Discharging ${(5 - grid_w / 1000).toFixed(1)} kW keeps the mean import at ${(grid_w / 1000).toFixed(1)} kW; ` +
        '1 kW more would add 45.00 to the power charge.',
    );
  });
});

/** Tries all schedules of one storage whose powers are multiples of a unit, with all or no sun. */
function bruteForce(problem: PlanProblem, unitW: number): Schedule {
  const [storage] = problem.storages as [PlanStorage];
  const count = problem.steps_s.length;
  const actions: number[] = [];
  for (let w = -storage.discharge_w; w <= storage.charge_w; w += unitW) actions.push(w);
  let best: { schedule: Schedule; total: number } | undefined;
  const powers = new Array<number>(count).fill(0);
  const visit = (t: number, level: number): void => {
    if (t === count) {
      const schedule = scheduleOf(powers);
      const { total } = costOf(problem, schedule);
      if (!best || total < best.total) best = { schedule, total };
      return;
    }
    for (const w of actions) {
      const next = level + (w > 0 ? w * storage.charge_efficiency : w / storage.discharge_efficiency);
      if (next < storage.min_wh - 1e-6 || next > storage.max_wh + 1e-6) continue;
      powers[t] = w;
      visit(t + 1, next);
    }
  };
  const scheduleOf = (chosen: readonly number[]): Schedule => ({
    solarUsed: Float64Array.from(problem.solar_w, (offered, t) => {
      const wanted = problem.load_w[t]! + chosen[t]!;
      if (!problem.solar_curtailable) return offered;
      if (problem.import_price[t]! < 0) return 0;
      return problem.export_price[t]! < 0 ? Math.max(0, Math.min(offered, wanted)) : offered;
    }),
    storages: [
      {
        charge: Float64Array.from(chosen, (w) => Math.max(w, 0)),
        discharge: Float64Array.from(chosen, (w) => Math.max(-w, 0)),
      },
    ],
  });
  visit(0, storage.start_wh);
  return best!.schedule;
}
