import loadHighs, { type Highs, type Model } from 'highs';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import { chooseCharges, type Run } from './choose-charges.ts';
import { type Columns, type Program, type ProgramOptions, toProgram } from './program.ts';
import { hoursOf, isPresent, keptAfter, type Schedule } from './schedule.ts';

// The package declares its module for require, so that TypeScript takes the function for an object that has it.
export const loadSolver = loadHighs as unknown as typeof loadHighs.default;

export type Solution = { schedule: Schedule; isProven: boolean; gap: number };

export type SolveOptions = {
  timeLimitMs: number;
  /** elapsed time, ms */
  elapsed(): number;
};

const relativeGap = 1e-6;
const manyCharges = 100; // steps with a minimum; beyond, the solver takes long to find a good plan by itself
const tooManyCharges = 250; // beyond, it finds no better one in useful time
const maxRepairs = 20;

/** Finds the cheapest schedule, or one that breaks rules by as little as possible. Undefined when no schedule was found in time. */
export function solve(highs: Highs, problem: PlanProblem, options: SolveOptions): Solution | undefined {
  const exclusive = new Set<string>();
  const canFill = new Set(
    problem.storages.filter(({ goals = [], ...storage }) =>
      goals.some(({ wh }) => wh > storage.max_wh - leastChargeWh(problem, storage)),
    ),
  );
  let mayMiss = false;
  let valid: Solution | undefined;
  for (let repair = 0; repair <= maxRepairs; repair++) {
    const found = optimize(highs, problem, { mayMiss, canFill, exclusive }, options);
    if (found === 'infeasible' && !mayMiss) {
      mayMiss = true;
      continue;
    }
    if (found === undefined || found === 'infeasible') return valid;
    const { values, columns, ...proof } = found;
    const both = stepsThatDoBoth(problem, columns, values, exclusive);
    const nearlyFull = storagesNearFull(problem, columns, values).filter((storage) => !canFill.has(storage));
    const isDone = both.length === 0 && (nearlyFull.length === 0 || chargesOfProgram(columns) > manyCharges);
    if (both.length === 0 || repair === maxRepairs)
      valid = { schedule: toSchedule(problem, columns, values), ...proof };
    if (isDone || repair === maxRepairs) return valid;
    for (const key of both) exclusive.add(key);
    for (const storage of nearlyFull) canFill.add(storage);
  }
  return undefined;
}

type Optimum = { values: Float64Array; columns: Columns; isProven: boolean; gap: number };

function optimize(
  highs: Highs,
  problem: PlanProblem,
  how: ProgramOptions,
  { timeLimitMs, elapsed }: SolveOptions,
): Optimum | 'infeasible' | undefined {
  const described = toProgram(problem, how);
  const { program, columns } = described;
  using model = highs.createModel(program.toModel(highs));
  const run: Run = () => {
    const left = timeLimitMs - elapsed();
    if (left <= 0) return 'late';
    model.zeroAllClocks();
    model.options.set({ output_flag: false, random_seed: 0, mip_rel_gap: relativeGap, time_limit: left / 1000 });
    model.run();
    const { optimal, infeasible, unboundedOrInfeasible } = highs.constants.modelStatus;
    const status = model.getModelStatus();
    if (status === optimal) return 'found';
    if (status === infeasible || status === unboundedOrInfeasible) return 'infeasible';
    return 'late';
  };
  if (how.mayMiss && !missLeast(model, described, run)) return undefined;
  const charges = chargesOfProgram(columns);
  const guessed = charges > manyCharges ? chooseCharges(highs, model, problem, described, run) : undefined;
  if (guessed && charges > tooManyCharges) {
    const { values, gap } = guessed;
    return { values, columns, isProven: gap <= relativeGap, gap };
  }
  if (guessed) model.setSolution({ colValue: guessed.values });
  const result = run();
  if (result === 'infeasible') return 'infeasible';
  if (result === 'late' && model.info.get('primal_solution_status') !== highs.constants.solutionStatus.feasible)
    return undefined;
  const gap = program.isSwitch.includes(true) ? Number(model.info.get('mip_gap')) : 0;
  const isProven = result === 'found';
  return {
    values: model.getSolution().colValue,
    columns,
    isProven,
    gap: isProven ? 0 : Number.isFinite(gap) ? gap : 1,
  };
}

const chargesOfProgram = ({ storages }: Columns): number =>
  storages.reduce((sum, { on }) => sum + on.filter((column) => column !== undefined).length, 0);

/** Minimizes what is missed, one class after the other, and keeps each at its least. Then restores the costs. */
function missLeast(model: Model, { program, misses }: Program, run: () => string): boolean {
  const all = { kind: 'range', from: 0, to: program.costs.length - 1 } as const;
  for (const terms of misses) {
    if (terms.length === 0) continue;
    const costs = new Float64Array(program.costs.length);
    for (const [column, factor] of terms) costs[column] = factor;
    model.changeColsCost(all, costs);
    if (run() !== 'found') return false;
    const least = model.getObjectiveValue();
    model.addRow(Number.NEGATIVE_INFINITY, least + 1e-7 + Math.abs(least) * 1e-9, {
      indices: terms.map(([column]) => column),
      values: terms.map(([, factor]) => factor),
    });
  }
  model.changeColsCost(all, program.costs);
  return true;
}

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

/** Reads the powers in W, and removes the rounding of the solver. */
function toSchedule(problem: PlanProblem, columns: Columns, values: Float64Array): Schedule {
  const hours = hoursOf(problem);
  const w = (column: number): number => (Math.abs(values[column]!) < 1e-9 ? 0 : values[column]! * 1000);
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
  return { solarUsed: Float64Array.from(columns.solar, w), storages };
}
