import type { PlanProblem } from '#contract/plan.ts';
import { addedFee, peakPeriods } from './peaks.ts';
import { gridOf, hoursOf, isPresent, levelsOf, type Schedule } from './schedule.ts';

type Direction = 'charge' | 'discharge';

/** Steps of equal prices in which a storage only charges or only discharges, and nothing else changes its level. */
type Segment = { from: number; to: number; direction: Direction };

const idleW = 0.01;
const gridIdleW = 0.1; // of the rules about the grid; less is rounding of the solver
const samePrice = 1e-9;
const tolerated = 1e-9; // in money and kW, for rounding

/**
 * Returns a schedule of the same cost without needless changes of power. The solver spreads energy arbitrarily over steps of
 * equal prices. Here it is charged as early as possible from the sun or with a least power, otherwise evenly.
 */
export function calmed(problem: PlanProblem, schedule: Schedule): Schedule {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const feesOf = createFees(problem);
  let fees = feesOf(grid);
  const storages = schedule.storages.map(({ charge, discharge }) => ({
    charge: charge.slice(),
    discharge: discharge.slice(),
  }));
  for (const n of storages.keys()) for (const segment of segmentsOf(problem, schedule, n)) rearrange(n, segment);
  return { solarUsed: schedule.solarUsed, storages };

  /** Moves the energy of a segment, unless that costs more or breaks a rule. */
  function rearrange(n: number, segment: Segment): void {
    const { from, to, direction } = segment;
    const powers = storages[n]![direction];
    const before = powers.slice(from, to);
    const after = arrangementOf(problem, n, { ...segment, before, grid });
    if (!after || after.every((w, i) => Math.abs(w - before[i]!) < idleW)) return;
    // Where others charge from the grid, the surplus has no room for all of it.
    if (Math.abs(sum(after) - sum(before)) > idleW) return;
    const changed = grid.slice();
    const sign = direction === 'charge' ? 1 : -1;
    let cost = 0;
    for (let t = from; t < to; t++) {
      changed[t]! += sign * (after[t - from]! - before[t - from]!);
      const [was, is] = [grid[t]!, changed[t]!];
      if (is > was ? is > importLimit(problem) : -is > exportLimit(problem)) return;
      const priceOf = (w: number): number => (w > 0 ? problem.import_price[t]! : problem.export_price[t]!);
      cost += ((is * priceOf(is) - was * priceOf(was)) / 1000) * hours[t]!;
    }
    const changedFees = feesOf(changed);
    if (cost + changedFees - fees > tolerated) return;
    powers.set(after, from);
    if (keepsDirections(segment, changed)) {
      grid.set(changed);
      fees = changedFees;
    } else powers.set(before, from);
  }

  /** Tells whether storages together neither charge from the grid nor discharge to it although they may not. */
  function keepsDirections({ from, to }: Segment, gridW: Float64Array): boolean {
    const restricted = (rule: 'from_grid' | 'to_grid') =>
      storages.filter((_, n) => problem.storages[n]![rule] === false);
    const [charging, discharging] = [restricted('from_grid'), restricted('to_grid')];
    for (let t = from; t < to; t++) {
      const surplus = schedule.solarUsed[t]! - problem.load_w[t]!;
      const charged = charging.reduce((all, { charge }) => all + charge[t]!, 0);
      const discharged = discharging.reduce((all, { discharge }) => all + discharge[t]!, 0);
      if (gridW[t]! > gridIdleW && charged > Math.max(0, surplus) + gridIdleW) return false;
      if (gridW[t]! < -gridIdleW && discharged > Math.max(0, -surplus) + gridIdleW) return false;
    }
    return true;
  }
}

const importLimit = ({ grid }: PlanProblem): number => grid.import_limit_w ?? Number.POSITIVE_INFINITY;
const exportLimit = ({ grid }: PlanProblem): number => grid.export_limit_w ?? Number.POSITIVE_INFINITY;

function createFees(problem: PlanProblem): (grid: Float64Array) => number {
  const periods = peakPeriods(problem);
  return (grid) => {
    const importKw = grid.map((w) => Math.max(0, w) / 1000);
    return periods.reduce((sum, period) => sum + addedFee(period, importKw), 0);
  };
}

function segmentsOf(problem: PlanProblem, { storages }: Schedule, n: number): Segment[] {
  const storage = problem.storages[n]!;
  if (storage.loss_per_hour) return []; // it matters when such a storage is charged
  const { charge, discharge } = storages[n]!;
  const { import_price, export_price, steps_s } = problem;
  const levels = levelsOf(storage, storages[n]!, hoursOf(problem));
  const isWithin = (wh: number): boolean => wh > storage.min_wh - 1 && wh < storage.max_wh + 1;
  const goals = new Set(storage.goals?.map(({ step }) => step));
  const directionAt = (t: number): Direction | undefined =>
    charge[t]! > idleW ? 'charge' : discharge[t]! > idleW ? 'discharge' : undefined;
  const isFree = (t: number): boolean =>
    isPresent(storage, t) &&
    !storage.use_wh?.[t] &&
    !storage.must_charge_w?.[t] &&
    isWithin(levels[t - 1] ?? storage.start_wh) &&
    isWithin(levels[t]!);
  const isSame = (t: number): boolean =>
    Math.abs(import_price[t]! - import_price[t - 1]!) < samePrice &&
    Math.abs(export_price[t]! - export_price[t - 1]!) < samePrice &&
    steps_s[t] === steps_s[t - 1];
  const segments: Segment[] = [];
  let from = 0;
  let direction: Direction | undefined;
  for (let t = 0; t <= steps_s.length; t++) {
    const next = t < steps_s.length && isFree(t) ? directionAt(t) : undefined;
    const goesOn =
      t < steps_s.length &&
      t > from &&
      isFree(t) &&
      isSame(t) &&
      !goals.has(t - 1) &&
      (!next || next === (direction ?? next));
    if (!goesOn) {
      if (direction && t - from > 1) segments.push({ from, to: t, direction });
      from = t < steps_s.length && !isFree(t) ? t + 1 : t;
      direction = undefined;
    }
    direction = next ?? direction;
  }
  return segments;
}

type Arranged = Segment & { before: Float64Array; grid: Float64Array };

/** Returns the powers of a segment; undefined where energy is sold on purpose. */
function arrangementOf(
  problem: PlanProblem,
  n: number,
  { from, direction, before, grid }: Arranged,
): Float64Array | undefined {
  const { charge_w, discharge_w, charge_min_w = 0, from_grid } = problem.storages[n]!;
  if (direction === 'charge' && charge_min_w > 0) return before.toSorted((a, b) => b - a);
  const surplus = before.map((w, i) => Math.max(0, w - grid[from + i]!)); // of the sun, while the storage charges
  const needs = before.map((w, i) => Math.max(0, w + grid[from + i]!)); // of the house, while it discharges
  if (direction === 'discharge')
    return before.some((w, i) => w > needs[i]! + idleW)
      ? undefined
      : evenly(
          before,
          needs.map((w) => Math.min(w, discharge_w)),
        );
  const isBought = from_grid !== false && before.some((w, i) => w > surplus[i]! + idleW);
  return isBought
    ? evenly(
        before,
        before.map(() => charge_w),
      )
    : early(
        before,
        surplus.map((w) => Math.min(w, charge_w)),
      );
}

const sum = (values: Float64Array): number => values.reduce((all, each) => all + each, 0);

/** Moves energy to the first steps, as much as each can take. */
function early(before: Float64Array, most: Float64Array): Float64Array {
  let left = sum(before);
  return most.map((w) => {
    const some = Math.min(w, left);
    left -= some;
    return some;
  });
}

/** Gives each step the same, or as much as it can take. */
function evenly(before: Float64Array, most: Float64Array): Float64Array {
  let left = sum(before);
  const after = new Float64Array(before.length);
  for (const [n, i] of [...most.keys()].toSorted((a, b) => most[a]! - most[b]!).entries()) {
    after[i] = Math.min(most[i]!, left / (most.length - n));
    left -= after[i];
  }
  return after;
}
