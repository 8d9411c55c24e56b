import type { Highs, Model } from 'highs';
import type { RunResult } from './choose-charges.ts';
import type { Program } from './program.ts';

export type SearchOptions = {
  /** ends the search on a machine that is much too slow; else its length depends on the problem only */
  timeLimitMs: number;
  /** elapsed time, ms */
  elapsed(): number;
};

const relativeGap = 1e-6;
const wholeTolerance = 1e-5; // of a switch
// The limit of a search is the number of iterations of the simplex algorithm times columns, about 2e6 a second.
const usualWork = 1.2e7;
const longWork = 2e6; // of a problem with more steps, which would take long for little
const leastShare = 1 / 8; // for each tier when the others have used up the limit

export type Solver = ReturnType<typeof createSolver>;

/** Runs a model within limits. */
export function createSolver(
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
export function createStages(model: Model, { program, misses }: Program): (run: () => RunResult) => RunResult {
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
