import loadHighs, { type Highs } from 'highs';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns } from './columns.ts';
import { misdirectionsOf } from './directions.ts';
import { peakPeriods } from './peaks.ts';
import type { ProgramOptions } from './program.ts';
import { costOf, hoursOf, isPresent, keptAfter, type Schedule } from './schedule.ts';
import { type Optimum, search } from './search.ts';
import type { SearchOptions } from './solver.ts';

// The package declares its module for require, so that TypeScript takes the function for an object that has it.
export const loadSolver = loadHighs as unknown as typeof loadHighs.default;

export type Solution = { schedule: Schedule; isProven: boolean; gap: number };

const provenGap = 2e-6;
const roundingCost = 1e-6; // of a plan that costs almost nothing
const manyCharges = 100; // steps with a least power; beyond, the solver takes long to find a good plan by itself
const tooManyCharges = 250; // beyond, it finds no better one in useful time
const maxRepairs = 20;

/** Finds the cheapest schedule, or one that breaks rules by as little as possible. Undefined when no schedule was found in time. */
export function solve(highs: Highs, problem: PlanProblem, options: SearchOptions): Solution | undefined {
  // A storage that must charge does not discharge at once, so that less is stored.
  const exclusive = new Set(
    problem.storages.flatMap(({ must_charge_w = [], discharge_w }, n) =>
      must_charge_w.flatMap((w, t) => (w > 0 && discharge_w > 0 ? [`${n} ${t}`] : [])),
    ),
  );
  const canFill = new Set(
    problem.storages.filter(({ goals = [], ...storage }) =>
      goals.some(({ wh }) => wh > storage.max_wh - leastChargeWh(problem, storage)),
    ),
  );
  const directed = new Set<string>();
  const isChosen = leastPowerSteps(problem) > manyCharges;
  let mayMiss = false;
  let best: Solution | undefined;
  for (let repair = 0; repair <= maxRepairs; repair++) {
    const found = optimize(highs, problem, { mayMiss, canFill, exclusive, directed }, options);
    if (found === 'infeasible' && !mayMiss) {
      mayMiss = true;
      continue;
    }
    if (typeof found === 'string') return best;
    const { values, columns } = found;
    const both = stepsThatDoBoth(problem, columns, values, exclusive);
    const misdirected = misdirectionsOf(problem, columns, values)
      .map(({ keys }) => keys)
      .filter((keys) => !keys.every((key) => directed.has(key)));
    const nearlyFull = isChosen
      ? []
      : storagesNearFull(problem, columns, values).filter((storage) => !canFill.has(storage));
    const isKept = both.length === 0 && misdirected.length === 0;
    if (misdirected.length === 0) best = toSolution(problem, found, isKept && !(mayMiss && isChosen));
    if (isKept && nearlyFull.length === 0) return best;
    for (const key of [...both, ...stepsWithNegativePrices(problem, both)]) exclusive.add(key);
    for (const key of misdirected.flat()) directed.add(key);
    for (const storage of nearlyFull) canFill.add(storage);
  }
  return best;
}

/** Reads a solution. Its gap is to the bound of the program, which leaves out what no plan changes. */
function toSolution(problem: PlanProblem, { values, columns, bound }: Optimum, keepsRules: boolean): Solution {
  const schedule = toSchedule(problem, columns, values);
  const { total } = costOf(problem, schedule);
  const due = peakPeriods(problem).reduce((sum, period) => sum + period.due, 0);
  const stored = problem.storages.reduce(
    (sum, { start_wh, end_value_per_kwh = 0 }) => sum + (start_wh / 1000) * end_value_per_kwh,
    0,
  );
  const above = Math.max(0, total - (bound - due + stored));
  const gap = above / Math.max(Math.abs(total), 1e-9);
  const isProven = keepsRules && (gap <= provenGap || above <= roundingCost);
  return { schedule, isProven, gap: isProven ? 0 : gap };
}

function optimize(
  highs: Highs,
  problem: PlanProblem,
  how: Omit<ProgramOptions, 'ignoresLeastPowers'>,
  options: SearchOptions,
): Optimum | 'infeasible' | 'late' {
  const steps = leastPowerSteps(problem);
  if (steps <= manyCharges) return search(highs, problem, { ...how, ignoresLeastPowers: false }, options);
  const chosen = search(highs, problem, { ...how, ignoresLeastPowers: true }, options);
  if (steps > tooManyCharges || how.mayMiss || chosen === 'late') return chosen;
  const known = chosen === 'infeasible' ? {} : { known: chosen };
  const improved = search(highs, problem, { ...how, ignoresLeastPowers: false }, { ...options, ...known });
  return typeof improved === 'string' ? chosen : improved;
}

/** Returns the number of steps in which a storage may charge with a least power or not at all. */
const leastPowerSteps = ({ storages, steps_s }: PlanProblem): number =>
  storages.reduce(
    (sum, storage) => (storage.charge_min_w ? sum + steps_s.filter((_, t) => isPresent(storage, t)).length : sum),
    0,
  );

/** Returns the energy that a storage takes at least when it charges for a step. */
const leastChargeWh = (
  { steps_s }: PlanProblem,
  storage: Pick<PlanStorage, 'charge_min_w' | 'charge_efficiency'>,
): number => (((storage.charge_min_w ?? 0) * Math.max(...steps_s)) / 3600) * storage.charge_efficiency;

/** Returns the storages for which it may pay to charge the last bit with less than the minimum. */
function storagesNearFull(problem: PlanProblem, columns: Columns, values: Float64Array): PlanStorage[] {
  return problem.storages.filter((storage, n) => {
    const limit = storage.max_wh - leastChargeWh(problem, storage);
    return storage.charge_min_w && columns.storages[n]!.level.some((column) => values[column]! * 1000 > limit);
  });
}

const leastKw = 1e-5;

/** Returns the steps in which a storage charges and discharges, which may pay when energy has a negative price. */
function stepsThatDoBoth(
  problem: PlanProblem,
  columns: Columns,
  values: Float64Array,
  exclusive: ReadonlySet<string>,
): string[] {
  const both: string[] = [];
  for (const [n, { charge, discharge }] of columns.storages.entries()) {
    for (const t of problem.steps_s.keys()) {
      const key = `${n} ${t}`;
      if (values[charge[t]!]! > leastKw && values[discharge[t]!]! > leastKw && !exclusive.has(key)) both.push(key);
    }
  }
  return both;
}

/** Returns the other steps in which storages that do both may do it next: those with negative prices. */
function stepsWithNegativePrices({ import_price, export_price }: PlanProblem, both: readonly string[]): string[] {
  const storages = new Set(both.map((key) => key.split(' ')[0]));
  const steps = [...import_price.keys()].filter((t) => import_price[t]! < 0 || export_price[t]! < 0);
  return [...storages].flatMap((n) => steps.map((t) => `${n} ${t}`));
}

/** Reads the powers in W, and removes the rounding of the solver. */
function toSchedule(problem: PlanProblem, columns: Columns, values: Float64Array): Schedule {
  const hours = hoursOf(problem);
  const w = (column: number): number => (values[column]! < 1e-9 ? 0 : values[column]! * 1000);
  const storages = problem.storages.map((storage, n) => {
    const { charge: charges, discharge: discharges } = columns.storages[n]!;
    const [charge, discharge] = [new Float64Array(hours.length), new Float64Array(hours.length)];
    const { charge_efficiency, discharge_efficiency, charge_min_w = 0 } = storage;
    let level = storage.start_wh;
    for (const [t, h] of hours.entries()) {
      if (isPresent(storage, t)) {
        let [charged, discharged] = [w(charges[t]!), w(discharges[t]!)];
        if (charged > 0 && discharged > 0) {
          // Only traces of the solver, or a storage without losses: the difference does the same.
          const stored = charged * charge_efficiency - discharged / discharge_efficiency;
          [charged, discharged] = [
            Math.max(0, stored) / charge_efficiency,
            Math.max(0, -stored) * discharge_efficiency,
          ];
        }
        if (charged < 0.01 && charge_min_w > 0) charged = 0;
        charge[t] = Math.min(charged, storage.charge_w);
        discharge[t] = Math.min(discharged, storage.discharge_w);
      }
      level =
        level * keptAfter(storage, h) +
        charge[t]! * h * charge_efficiency -
        (discharge[t]! * h) / discharge_efficiency -
        (storage.use_wh?.[t] ?? 0);
    }
    return { charge, discharge };
  });
  return {
    solarUsed: Float64Array.from(columns.solar, (column, t) => Math.min(w(column), problem.solar_w[t]!)),
    storages,
  };
}
