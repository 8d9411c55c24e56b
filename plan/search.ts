import type { Highs, Model } from 'highs';
import type { PlanProblem } from '#contract/plan.ts';
import { allowAllCharges, chooseCharges, type RunResult } from './choose-charges.ts';
import type { Columns } from './columns.ts';
import { misdirectionsOf, oneDirectionOf } from './directions.ts';
import { periodFee } from './peaks.ts';
import { type Program, type ProgramOptions, toProgram } from './program.ts';
import { createSolver, createStages, type SearchOptions, type Solver } from './solver.ts';
import { type Attempt, cheapestTiers } from './tiers.ts';

/** A solution of a program, and how far its cost may be above the best. */
export type Optimum = { values: Float64Array; columns: Columns; cost: number; bound: number };

const tierMarginKw = 1e-5; // keeps a mean below the end of its tier in spite of rounding
const roundingKw = 1e-7;
const slackPrice = 1000; // per kW or kWh: more than any rule can cost
const leastSlack = 1e-6;
const leastMissKwh = 1e-3;
const usualSteps = 200;
const maxSettlings = 25;
const manyBoth = 20; // steps in which a storage charges and discharges; for more, switches find a better plan

/** What the attempts of a search share: they change the bounds of one model. */
type Search = {
  problem: PlanProblem;
  how: ProgramOptions;
  described: Program;
  model: Model;
  solver: Solver;
  /** minimizes what is missed first, then the costs */
  runStaged: Run;
  isLong: boolean;
  known: Optimum | undefined;
};

/** Runs a program, in stages or once. */
type Run = (run: () => RunResult) => RunResult;
const runOnce: Run = (run) => run();

type Outcome = Attempt<Float64Array> | 'infeasible' | 'late';

/**
 * Solves one program: its switches, least powers and tiers. With a known solution it begins with that, and returns it if it
 * finds none that is cheaper.
 */
export function search(
  highs: Highs,
  problem: PlanProblem,
  how: ProgramOptions,
  { known, ...options }: SearchOptions & { known?: Optimum },
): Optimum | 'infeasible' | 'late' {
  const described = toProgram(problem, how);
  const { columns, tierRows } = described;
  using model = highs.createModel(described.program.toModel(highs));
  const isLong = problem.steps_s.length > usualSteps;
  const solver = createSolver(highs, model, described, { ...options, isLong });
  const runStaged = createStages(model, described);
  const context: Search = { problem, how, described, model, solver, runStaged, isLong, known };
  const attemptBelow = how.ignoresLeastPowers ? attemptWithChosenCharges : attemptWithSwitches;
  let isFirst = true;
  const attempt = (limitsKw: readonly number[], below: number): Outcome => {
    const run = isFirst ? runStaged : runOnce;
    isFirst = false;
    return attemptBelow(context, limitsKw, below, run);
  };
  const periods = tierRows.map(({ period }) => period);
  const found = cheapestTiers(periods, attempt, known?.cost);
  if (typeof found === 'string') return found;
  const { best, bound } = found;
  const optimum = best ? { values: best.value, columns, cost: best.cost } : known;
  return optimum ? { ...optimum, bound: Math.max(bound, known?.bound ?? bound) } : 'infeasible';
}

/** Solves the program with its switches, those of least powers included. */
function attemptWithSwitches(search: Search, limitsKw: readonly number[], below: number, run: Run): Outcome {
  const { model, solver, known } = search;
  if (known && limitsKw.length > 0) {
    const result = runWithin(search, limitsKw, solver.runLinear);
    if (result !== 'found') return result;
    const relaxed = relaxedOf(search);
    if (relaxed.bound >= below) return relaxed;
  }
  const result = runWithin(search, limitsKw, () => runWhole(search, run));
  if (result !== 'found') return result;
  const bounds = solver.hasSwitches ? { bound: solver.wholeBound() } : relaxedOf(search);
  const kept = settle(search, model.getSolution().colValue, model.getObjectiveValue());
  return { ...bounds, found: withFees(search, kept.values, kept.cost) };
}

/** Solves the program without least powers, then chooses the steps that charge. */
function attemptWithChosenCharges(search: Search, limitsKw: readonly number[], below: number, run: Run): Outcome {
  const { model, solver, problem, described, how, runStaged } = search;
  const { slack, misses } = described;
  const { canFill } = how;
  const charges = { model, problem, program: described, canFill, peakLimitsKw: limitsKw, run: solver.runLinear };
  allowAllCharges(charges);
  allowSlack(search, false);
  solver.releaseSwitches();
  const result = runWithin(search, limitsKw, () => run(solver.runLinear));
  if (result !== 'found') return result;
  const relaxed = relaxedOf(search);
  if (relaxed.bound >= below) return relaxed;
  const { colValue } = model.getSolution();
  const runFirst = (): RunResult => solver.keepSwitches(runWhole(search, runOnce));
  allowSlack(search, true);
  const choice = chooseCharges(colValue, { ...charges, runFirst });
  if (choice && misses.length > 0) {
    // Prices of what is missed have led to the choice; with it, the least is missed first, and then the costs count.
    allowSlack(search, false);
    if (runStaged(solver.runLinear) !== 'found') return relaxed;
    [choice.values, choice.cost] = [model.getSolution().colValue, model.getObjectiveValue()];
    if (beyondLimits(described, choice.values) > beyondLimits(described, colValue) + leastMissKwh) return relaxed;
  }
  const chosen = choice && settle(search, choice.values, choice.cost);
  if (!chosen || slack.rules.some((column) => chosen.values[column]! > leastSlack)) return relaxed;
  const slackCost = slack.tiers.reduce((sum, column) => sum + slackPrice * chosen.values[column]!, 0);
  return { ...relaxed, found: withFees(search, chosen.values, chosen.cost - slackCost) };
}

/** Reads the cost of the last linear program, and its change per kW of each limit. */
function relaxedOf({ model, described: { tierRows } }: Search): { bound: number; slopes: number[] } {
  const bound = model.getObjectiveValue();
  const { rowDual } = model.getSolution();
  return { bound, slopes: tierRows.map(({ row }) => rowDual[row]!) };
}

/** Adds the fees of tiers, which are no part of the program. */
function withFees({ described }: Search, values: Float64Array, cost: number): Attempt<Float64Array>['found'] {
  const { imported, exported } = described.columns;
  const importKw = imported.map((column, t) => Math.max(0, values[column]! - values[exported[t]!]! - roundingKw));
  return {
    value: values,
    cost: described.tierRows.reduce((sum, { period }) => sum + periodFee(period, importKw), cost),
  };
}

/** Returns by how much storages are beyond their limits, the most important class of what is missed. */
const beyondLimits = ({ misses }: Program, values: Float64Array): number =>
  (misses[0]?.terms ?? []).reduce((sum, [column, factor]) => sum + factor * values[column]!, 0);

/** Sets whether rules may be missed at a price, so that the choice of charges can begin with a plan that does. */
function allowSlack({ model, described: { slack, misses } }: Search, isAllowed: boolean): void {
  for (const column of [...slack.tiers, ...slack.rules]) {
    model.changeColBounds(column, 0, isAllowed ? Number.POSITIVE_INFINITY : 0);
    model.changeColCost(column, isAllowed ? slackPrice : 0);
  }
  for (const [n, { row, terms }] of misses.toReversed().entries()) {
    if (isAllowed) model.changeRowBounds(row, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    for (const [column, factor] of terms) model.changeColCost(column, isAllowed ? slackPrice * 2 ** n * factor : 0);
  }
}

/** Runs below limits; exactly at them where the load leaves no choice. */
function runWithin(
  { model, described: { tierRows } }: Search,
  limitsKw: readonly number[],
  run: () => RunResult,
): RunResult {
  const runBelow = (marginKw: number): RunResult => {
    for (const [i, { row }] of tierRows.entries())
      model.changeRowBounds(row, Number.NEGATIVE_INFINITY, limitsKw[i]! - marginKw);
    return run();
  };
  const result = runBelow(tierMarginKw);
  return result === 'infeasible' && limitsKw.some(Number.isFinite) ? runBelow(0) : result;
}

/** Finds whole numbers for switches, beginning with the known ones or those that a solution without whole numbers is near to. */
function runWhole({ model, solver, described, known, isLong }: Search, run: Run): RunResult {
  if (!solver.hasSwitches) return run(solver.runLinear);
  solver.releaseSwitches();
  if (known) model.setSolution(chargesIn(known, described.columns));
  else if (isLong && solver.keepSwitches(run(solver.runLinear)) === 'found') {
    const { colValue } = model.getSolution();
    solver.releaseSwitches();
    model.setSolution({ colValue });
    return solver.runWhole(true);
  } else solver.releaseSwitches();
  return run(() => solver.runWhole(false));
}

/** Bounds flows of a long problem until storages keep to their directions, which is faster than switches. */
function settle(
  { problem, model, solver, described: { program, columns }, isLong }: Search,
  values: Float64Array,
  cost: number,
): { values: Float64Array; cost: number } {
  const bounded = new Set<number>();
  let last = { values, cost };
  let isKept = !isLong;
  for (let n = 0; n < maxSettlings && !isKept; n++) {
    const both = oneDirectionOf(problem, columns, last.values);
    const misdirected = misdirectionsOf(problem, columns, last.values).flatMap(({ bounds }) => bounds);
    const bounds = [...misdirected, ...(both.length > manyBoth ? [] : both)];
    isKept = bounds.length === 0;
    if (isKept) break;
    for (const { column, upper } of bounds) {
      bounded.add(column);
      model.changeColBounds(column, 0, upper);
    }
    if (solver.runLinear() !== 'found') break;
    last = { values: model.getSolution().colValue, cost: model.getObjectiveValue() };
  }
  for (const column of bounded) model.changeColBounds(column, program.lower[column]!, program.upper[column]!);
  return isKept ? last : { values, cost };
}

/** Returns which switches of least powers are on in a solution of a program without them. */
function chargesIn(known: Optimum, { storages }: Columns): { indices: number[]; values: number[] } {
  const isOn = (column: number): boolean => known.values[column]! > 1e-5;
  const switches = storages.flatMap(({ on }, n) =>
    [...on.entries()].flatMap(([t, column]) =>
      column === undefined ? [] : [{ column, value: isOn(known.columns.storages[n]!.charge[t]!) ? 1 : 0 }],
    ),
  );
  return { indices: switches.map(({ column }) => column), values: switches.map(({ value }) => value) };
}
