import type { Highs, Model } from 'highs';
import type { PlanProblem } from '#contract/plan.ts';
import { allowAllCharges, chooseCharges, type RunResult } from './choose-charges.ts';
import { misdirectionsOf, oneDirectionOf } from './directions.ts';
import { periodFee } from './peaks.ts';
import { type Columns, type Program, type ProgramOptions, toProgram } from './program.ts';
import { type Attempt, cheapestTiers } from './tiers.ts';

export type SearchOptions = {
  /** ends the search on a machine that is much too slow; else its length depends on the problem only */
  timeLimitMs: number;
  /** elapsed time, ms */
  elapsed(): number;
};

/** A solution of a program, and how far its cost may be above the best. */
export type Optimum = { values: Float64Array; columns: Columns; cost: number; bound: number };

const relativeGap = 1e-6;
const tierMarginKw = 1e-5; // keeps a mean below the end of its tier in spite of rounding
const roundingKw = 1e-7;
const slackPrice = 1000; // per kW or kWh: more than any rule can cost
const leastSlack = 1e-6;
const leastMissKwh = 1e-3;
const wholeTolerance = 1e-5; // of a switch
// The limit of a search is the number of iterations of the simplex algorithm times columns, about 2e6 a second.
const usualWork = 1.2e7;
const longWork = 2e6; // of a problem with more steps, which would take long for little
const usualSteps = 200;
const maxSettlings = 25;
const manyBoth = 20; // steps in which a storage charges and discharges; for more, switches find a better plan
const leastShare = 1 / 8; // for each tier when the others have used up the limit

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
  const periods = tierRows.map(({ period }) => period);
  const withFees = (values: Float64Array, cost: number): Attempt<Float64Array>['found'] => {
    const { imported, exported } = columns;
    const importKw = imported.map((column, t) => Math.max(0, values[column]! - values[exported[t]!]! - roundingKw));
    return { value: values, cost: periods.reduce((sum, period) => sum + periodFee(period, importKw), cost) };
  };
  const slopes = (): number[] => {
    const { rowDual } = model.getSolution();
    return tierRows.map(({ row }) => rowDual[row]!);
  };
  const { slack, misses } = described;
  /** Returns by how much storages are beyond their limits, the most important class of what is missed. */
  const beyondLimits = (values: Float64Array): number =>
    (misses[0]?.terms ?? []).reduce((sum, [column, factor]) => sum + factor * values[column]!, 0);
  /** Sets whether rules may be missed at a price, so that the choice of charges can begin with a plan that does. */
  const allowSlack = (isAllowed: boolean): void => {
    for (const column of [...slack.tiers, ...slack.rules]) {
      model.changeColBounds(column, 0, isAllowed ? Number.POSITIVE_INFINITY : 0);
      model.changeColCost(column, isAllowed ? slackPrice : 0);
    }
    for (const [n, { row, terms }] of misses.toReversed().entries()) {
      if (isAllowed) model.changeRowBounds(row, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
      for (const [column, factor] of terms) model.changeColCost(column, isAllowed ? slackPrice * 2 ** n * factor : 0);
    }
  };
  /** Runs below limits; exactly at them where the load leaves no choice. */
  const withLimits = (limitsKw: readonly number[], run: () => RunResult): RunResult => {
    const runBelow = (marginKw: number): RunResult => {
      for (const [i, { row }] of tierRows.entries())
        model.changeRowBounds(row, Number.NEGATIVE_INFINITY, limitsKw[i]! - marginKw);
      return run();
    };
    const result = runBelow(tierMarginKw);
    return result === 'infeasible' && limitsKw.some(Number.isFinite) ? runBelow(0) : result;
  };
  const runStaged = createStages(model, described);
  const { canFill } = how;
  const charges = { model, problem, program: described, canFill, peakLimitsKw: [], run: solver.runLinear };
  type Stages = (run: () => RunResult) => RunResult;
  /** Finds whole numbers for switches, beginning with the known ones or those that a solution without whole numbers is near to. */
  const runWhole = (run: Stages): RunResult => {
    if (!solver.hasSwitches) return run(solver.runLinear);
    solver.releaseSwitches();
    if (known) model.setSolution(chargesIn(known, columns));
    else if (isLong && solver.keepSwitches(run(solver.runLinear)) === 'found') {
      const { colValue } = model.getSolution();
      solver.releaseSwitches();
      model.setSolution({ colValue });
      return solver.runWhole(true);
    } else solver.releaseSwitches();
    return run(() => solver.runWhole(false));
  };
  /** Bounds flows of a long problem until storages keep to their directions, which is faster than switches. */
  const settled = (values: Float64Array, cost: number): { values: Float64Array; cost: number } => {
    const bounded = new Set<number>();
    let last = { values, cost };
    let isKept = !isLong;
    for (let n = 0; n < maxSettlings && !isKept; n++) {
      const both = oneDirectionOf(problem, columns, last.values);
      const bounds = [...misdirectionsOf(problem, columns, last.values), ...(both.length > manyBoth ? [] : both)];
      isKept = bounds.length === 0;
      if (isKept) break;
      for (const { column, upper } of bounds) {
        bounded.add(column);
        model.changeColBounds(column, 0, upper);
      }
      if (solver.runLinear() !== 'found') break;
      last = { values: model.getSolution().colValue, cost: model.getObjectiveValue() };
    }
    const { lower, upper } = described.program;
    for (const column of bounded) model.changeColBounds(column, lower[column]!, upper[column]!);
    return isKept ? last : { values, cost };
  };
  let isFirst = true;
  const attempt = (limitsKw: readonly number[], below: number): Attempt<Float64Array> | 'infeasible' | 'late' => {
    const run: Stages = isFirst ? runStaged : (once) => once();
    isFirst = false;
    if (!how.ignoresLeastPowers) {
      if (known && periods.length > 0) {
        const result = withLimits(limitsKw, solver.runLinear);
        if (result !== 'found') return result;
        const relaxed = { bound: model.getObjectiveValue(), slopes: slopes() };
        if (relaxed.bound >= below) return relaxed;
      }
      const result = withLimits(limitsKw, () => runWhole(run));
      if (result !== 'found') return result;
      const { bound, slopes: byLimit } = solver.hasSwitches
        ? { bound: solver.wholeBound(), slopes: undefined }
        : { bound: model.getObjectiveValue(), slopes: slopes() };
      const kept = settled(model.getSolution().colValue, model.getObjectiveValue());
      return { bound, slopes: byLimit, found: withFees(kept.values, kept.cost) };
    }
    allowAllCharges(charges);
    allowSlack(false);
    solver.releaseSwitches();
    const result = withLimits(limitsKw, () => run(solver.runLinear));
    if (result !== 'found') return result;
    const relaxed = { bound: model.getObjectiveValue(), slopes: slopes() };
    if (relaxed.bound >= below) return relaxed;
    const { colValue } = model.getSolution();
    const runFirst = (): RunResult => solver.keepSwitches(runWhole((once) => once()));
    allowSlack(true);
    const choice = chooseCharges(colValue, { ...charges, peakLimitsKw: limitsKw, runFirst });
    if (choice && misses.length > 0) {
      // Prices of what is missed have led to the choice; with it, the least is missed first, and then the costs count.
      allowSlack(false);
      if (runStaged(solver.runLinear) !== 'found') return relaxed;
      [choice.values, choice.cost] = [model.getSolution().colValue, model.getObjectiveValue()];
      if (beyondLimits(choice.values) > beyondLimits(colValue) + leastMissKwh) return relaxed;
    }
    const chosen = choice && settled(choice.values, choice.cost);
    if (!chosen || slack.rules.some((column) => chosen.values[column]! > leastSlack)) return relaxed;
    const slackCost = slack.tiers.reduce((sum, column) => sum + slackPrice * chosen.values[column]!, 0);
    return { ...relaxed, found: withFees(chosen.values, chosen.cost - slackCost) };
  };
  const found = cheapestTiers(periods, attempt, known?.cost);
  if (typeof found === 'string') return found;
  const { best, bound } = found;
  const optimum = best ? { values: best.value, columns, cost: best.cost } : known;
  return optimum ? { ...optimum, bound: Math.max(bound, known?.bound ?? bound) } : 'infeasible';
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

/** Runs a model within limits. */
function createSolver(
  highs: Highs,
  model: Model,
  { program }: Program,
  { timeLimitMs, elapsed, isLong }: SearchOptions & { isLong: boolean },
) {
  const { modelStatus, solutionStatus, callbackType, variableType } = highs.constants;
  const switches = [...program.switches.keys()];
  const all = { kind: 'set', indices: switches } as const;
  const maxWork = isLong ? longWork : usualWork;
  let workLeft = 2 * maxWork;
  let isWhole = switches.length > 0;

  /** Sets whether switches are whole numbers. */
  const setWhole = (whole: boolean): void => {
    if (switches.length === 0 || whole === isWhole) return;
    isWhole = whole;
    const { integer, continuous } = variableType;
    model.changeColsIntegrality(
      all,
      switches.map(() => (whole ? integer : continuous)),
    );
  };
  const run = (presolve: 'on' | 'off', maxIterations?: number): RunResult => {
    const left = timeLimitMs - elapsed();
    if (left <= 0) return 'late';
    model.zeroAllClocks();
    model.options.set({
      output_flag: false,
      random_seed: 0,
      mip_rel_gap: relativeGap,
      presolve,
      time_limit: left / 1000,
    });
    let iterations = 0;
    model.run(
      maxIterations !== undefined
        ? {
            [callbackType.mipInterrupt]: (event) => {
              iterations = Number(event.data.mip_total_lp_iterations ?? 0);
              if (iterations > maxIterations) event.interrupt();
              return undefined;
            },
          }
        : undefined,
    );
    workLeft -= iterations * program.costs.length;
    const status = model.getModelStatus();
    if (status === modelStatus.optimal) return 'found';
    if (status === modelStatus.infeasible || status === modelStatus.unboundedOrInfeasible) return 'infeasible';
    const isFeasible = model.info.get('primal_solution_status') === solutionStatus.feasible;
    return maxIterations !== undefined && isFeasible ? 'found' : 'late';
  };
  // Presolve makes a single linear program not faster, and prevents that it continues from the one before.
  const runLinear = (): RunResult => {
    setWhole(false);
    return run('off');
  };
  return {
    hasSwitches: switches.length > 0,
    runLinear,
    runWhole(hasStart: boolean): RunResult {
      setWhole(true);
      const columns = program.costs.length;
      const iterations = Math.max(maxWork * leastShare, Math.min(maxWork, workLeft)) / columns;
      // Without a solution to begin with, it must at least find one.
      return run('on', Math.max(iterations, (hasStart ? 0.25 : 2) * columns));
    },
    wholeBound: (): number => Number(model.info.get('mip_dual_bound')),
    /** Keeps the switches of the last solution, so that the rest is a linear program. */
    keepSwitches(result: RunResult): RunResult {
      if (switches.length === 0 || result !== 'found') return result;
      const { colValue } = model.getSolution();
      const values = switches.map((column) => {
        const value = colValue[column]!;
        if (Math.abs(value - 0.5) > 0.5 - wholeTolerance) return Math.round(value);
        return program.switches.get(column)!(colValue) ? 1 : 0;
      });
      model.changeColsBounds(all, values, values);
      return runLinear();
    },
    releaseSwitches(): void {
      if (switches.length > 0)
        model.changeColsBounds(
          all,
          switches.map((column) => program.lower[column]!),
          switches.map((column) => program.upper[column]!),
        );
    },
  };
}

/**
 * Returns a function that minimizes what is missed, one class of rules after the other, and keeps each at its least. Then it
 * minimizes the costs.
 */
function createStages(model: Model, { program, misses }: Program): (run: () => RunResult) => RunResult {
  const all = { kind: 'range', from: 0, to: program.costs.length - 1 } as const;
  const [none, free] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return (run) => {
    for (const { row } of misses) model.changeRowBounds(row, none, free);
    for (const { row, terms } of misses) {
      const costs = new Float64Array(program.costs.length);
      for (const [column, factor] of terms) costs[column] = factor;
      model.changeColsCost(all, costs);
      const result = run();
      if (result === 'found') {
        const least = model.getObjectiveValue();
        model.changeRowBounds(row, none, least + 1e-7 + Math.abs(least) * 1e-9);
      }
      if (result !== 'found') {
        model.changeColsCost(all, program.costs);
        return result;
      }
    }
    if (misses.length > 0) model.changeColsCost(all, program.costs);
    return run();
  };
}
