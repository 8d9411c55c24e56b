import type { Highs, Model } from 'highs';
import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import type { Columns, Program } from './program.ts';
import { hoursOf, isPresent, levelsOf } from './schedule.ts';

/** Runs the solver until it is done, or its time is over. */
export type Run = () => 'found' | 'infeasible' | 'late';

const leastKw = 1e-5;

/**
 * Finds a good plan quickly: without the least power of charging first, then with as many charges of each stay as its
 * energy is enough for, then with better ones in their place. The number of tries is fixed, so that the result does not depend
 * on the speed of the machine. Undefined when that breaks rules or takes too long.
 */
export function chooseCharges(
  highs: Highs,
  model: Model,
  problem: PlanProblem,
  { columns, program }: Program,
  run: Run,
): { values: Float64Array; gap: number } | undefined {
  const { integer, continuous } = highs.constants.variableType;
  const switches = [...program.isSwitch.keys()].filter((column) => program.isSwitch[column]);
  const charging = new Set(columns.storages.flatMap(({ on }) => on));
  for (const column of switches) model.changeColIntegrality(column, continuous);
  if (run() !== 'found') return undefined;
  const bound = model.getObjectiveValue();
  const { colValue } = model.getSolution();
  for (const [n, storage] of problem.storages.entries()) {
    const { on, charge } = columns.storages[n]!;
    const chosen = chargesOf(
      problem,
      storage,
      charge.map((column) => colValue[column]!),
    );
    for (const [t, column] of on.entries()) if (column !== undefined) fix(model, column, chosen.has(t) ? 1 : 0);
  }
  for (const column of switches) if (!charging.has(column)) model.changeColIntegrality(column, integer);
  const found = run() === 'found' ? exchange(highs, model, problem, { columns, program }, run) : undefined;
  for (const column of switches) {
    model.changeColBounds(column, program.lower[column]!, program.upper[column]!);
    model.changeColIntegrality(column, integer);
  }
  return found && { values: found.values, gap: Math.max(0, found.cost - bound) / Math.max(Math.abs(found.cost), 1e-9) };
}

function fix(model: Model, column: number, value: number): void {
  model.changeColBounds(column, value, value);
}

/**
 * Chooses the steps in which a storage with a least power charges the energy of each stay: as many as can share it, those first
 * that had most of it. A stay with too little for one step leaves it to the next stay, unless it would then miss a goal.
 */
function chargesOf(problem: PlanProblem, storage: PlanStorage, chargeKw: readonly number[]): Set<number> {
  const hours = hoursOf(problem);
  const { charge_min_w = 0, charge_w, charge_efficiency } = storage;
  const wanted = levelsOf(
    storage,
    { charge: chargeKw.map((kw) => kw * 1000), discharge: chargeKw.map(() => 0) },
    hours,
  );
  const chosen = new Set<number>();
  let behindWh = 0; // what was to be charged until now, and was not
  for (let first = 0; first < hours.length; ) {
    let last = first;
    while (last < hours.length && isPresent(storage, last)) last++;
    const stay = chargeKw.flatMap((kw, t) => (t >= first && t < last && kw > leastKw ? [t] : []));
    const energy = stay.reduce((sum, t) => sum + chargeKw[t]! * 1000 * hours[t]!, behindWh);
    const missed = Math.max(
      0,
      ...(storage.goals ?? []).flatMap(({ step, wh }) =>
        step >= first && step < last ? [(wh - wanted[step]!) / charge_efficiency + energy] : [],
      ),
    );
    let [least, most] = [0, 0];
    for (const t of stay.toSorted((a, b) => chargeKw[b]! - chargeKw[a]!)) {
      if (least + charge_min_w * hours[t]! > energy + 1 && most >= missed - 1) break;
      chosen.add(t);
      least += charge_min_w * hours[t]!;
      most += charge_w * hours[t]!;
    }
    behindWh = energy - Math.min(Math.max(energy, least), most);
    first = last + 1;
  }
  return chosen;
}

const maxExchanges = 60;
const leastSaving = 1e-4;

/**
 * Improves the choice of the steps that charge: where the prices of the program say that another step of the same stay is
 * cheaper, it takes the place of the dearest one. Fewer are exchanged at once as long as that makes the plan dearer.
 */
function exchange(
  highs: Highs,
  model: Model,
  problem: PlanProblem,
  { columns, program }: Pick<Program, 'columns' | 'program'>,
  run: Run,
): { values: Float64Array; cost: number } {
  let { colValue: values, colDual: prices } = model.getSolution();
  let cost = model.getObjectiveValue();
  const fixed = new Map<number, number>();
  for (const [column, isSwitch] of program.isSwitch.entries())
    if (isSwitch) fixed.set(column, Math.round(values[column]!));
  const others = [...fixed.keys()].filter((column) => !columns.storages.some(({ on }) => on.includes(column)));
  const { integer, continuous } = highs.constants.variableType;
  for (const column of others) {
    model.changeColIntegrality(column, continuous);
    fix(model, column, fixed.get(column)!);
  }
  if (others.length > 0 && run() === 'found') ({ colValue: values, colDual: prices } = model.getSolution());
  const failed = new Set<string>();
  let size = Number.POSITIVE_INFINITY;
  for (let n = 0; n < maxExchanges; n++) {
    const pairs = exchanges(problem, columns, fixed, prices).filter(({ columns: pair }) => !failed.has(pair.join()));
    if (pairs.length === 0) break;
    const some = pairs.slice(0, size).flatMap(({ columns: pair }) => pair);
    for (const column of some) fix(model, column, 1 - fixed.get(column)!);
    const isBetter = run() === 'found' && model.getObjectiveValue() < cost - 1e-6;
    if (isBetter) {
      ({ colValue: values, colDual: prices } = model.getSolution());
      cost = model.getObjectiveValue();
      for (const column of some) fixed.set(column, 1 - fixed.get(column)!);
      continue;
    }
    for (const column of some) fix(model, column, fixed.get(column)!);
    if (size === 1) failed.add(some.join());
    size = Math.ceil(Math.min(size, pairs.length) / 3);
  }
  for (const column of others) {
    model.changeColBounds(column, program.lower[column]!, program.upper[column]!);
    model.changeColIntegrality(column, integer);
  }
  return { values, cost };
}

type Exchange = { columns: number[]; saves: number };

/** Returns the exchange of each stay that saves most at the prices of the program, the best first. */
function exchanges(
  problem: PlanProblem,
  { storages }: Columns,
  fixed: ReadonlyMap<number, number>,
  prices: Float64Array,
): Exchange[] {
  const found: Exchange[] = [];
  for (const [n, { on }] of storages.entries()) {
    const storage = problem.storages[n]!;
    for (let first = 0; first < problem.steps_s.length; ) {
      let last = first;
      let [start, stop]: (number | undefined)[] = [];
      for (; last < problem.steps_s.length && isPresent(storage, last); last++) {
        const column = on[last];
        if (column === undefined) continue;
        if (fixed.get(column) === 0 && (start === undefined || prices[column]! < prices[start]!)) start = column;
        if (fixed.get(column) === 1 && (stop === undefined || prices[column]! > prices[stop]!)) stop = column;
      }
      first = last + 1;
      const starting = start === undefined ? 0 : -prices[start]!;
      const stopping = stop === undefined ? 0 : prices[stop]!;
      const pair = [...(starting > leastSaving ? [start!] : []), ...(stopping > leastSaving ? [stop!] : [])];
      if (pair.length > 0) found.push({ columns: pair, saves: Math.max(0, starting) + Math.max(0, stopping) });
    }
  }
  return found.toSorted((a, b) => b.saves - a.saves);
}
