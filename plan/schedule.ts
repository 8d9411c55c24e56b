import type { PlanCost, PlanMiss, PlanProblem, PlanStorage } from '#contract/plan.ts';
import { addedFee, peakPeriods } from './peaks.ts';

/** Powers of a storage in W. */
export type StoragePowers = { charge: Float64Array; discharge: Float64Array };

/** Powers of each step in W. Everything else follows from them. */
export type Schedule = { solarUsed: Float64Array; storages: StoragePowers[] };

export const hoursOf = ({ steps_s }: Pick<PlanProblem, 'steps_s'>): number[] =>
  steps_s.map((seconds) => seconds / 3600);

export const isPresent = ({ present }: PlanStorage, step: number): boolean => present?.[step] ?? true;

/** Returns the share of the stored energy that is left after some hours. */
export const keptAfter = ({ loss_per_hour = 0 }: PlanStorage, hours: number): number => (1 - loss_per_hour) ** hours;

/** Returns the power nearest to a wanted one that the powers and levels of a storage allow for some hours; charging is positive. */
export function allowedPower(storage: PlanStorage, level: number, wanted: number, hours: number): number {
  const { charge_w, discharge_w, charge_efficiency, discharge_efficiency } = storage;
  const most = Math.min(charge_w, Math.max(0, storage.max_wh - level) / charge_efficiency / hours);
  const least = -Math.min(discharge_w, (Math.max(0, level - storage.min_wh) * discharge_efficiency) / hours);
  return Math.min(most, Math.max(least, wanted));
}

/** Returns the level of a storage at the end of each step, Wh. */
export function levelsOf(
  storage: PlanStorage,
  { charge, discharge }: { charge: ArrayLike<number>; discharge: ArrayLike<number> },
  hours: readonly number[],
) {
  const levels = new Float64Array(hours.length);
  let level = storage.start_wh;
  for (const [t, h] of hours.entries()) {
    level =
      level * keptAfter(storage, h) +
      charge[t]! * h * storage.charge_efficiency -
      (discharge[t]! * h) / storage.discharge_efficiency -
      (storage.use_wh?.[t] ?? 0);
    levels[t] = level;
  }
  return levels;
}

/** Returns the power at the grid connection in each step, W; import is positive. */
export function gridOf(problem: PlanProblem, { solarUsed, storages }: Schedule): Float64Array {
  return Float64Array.from(problem.load_w, (load, t) =>
    storages.reduce((sum, { charge, discharge }) => sum + charge[t]! - discharge[t]!, load - solarUsed[t]!),
  );
}

/** Adds up what a schedule costs. */
export function costOf(problem: PlanProblem, schedule: Schedule): PlanCost {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const importKw = grid.map((w) => Math.max(w, 0) / 1000);
  const { import_limit_w, over_import_price_per_kw } = problem.grid;
  const cost = { energy: 0, peaks: 0, wear: 0, over_import: 0, end_value: 0, total: 0 };
  for (const [t, h] of hours.entries())
    cost.energy += (grid[t]! / 1000) * h * (grid[t]! > 0 ? problem.import_price[t]! : problem.export_price[t]!);
  for (const period of peakPeriods(problem)) cost.peaks += addedFee(period, importKw);
  for (const [n, storage] of problem.storages.entries()) {
    const powers = schedule.storages[n]!;
    for (const [t, h] of hours.entries()) cost.wear += (powers.discharge[t]! / 1000) * h * (storage.wear_per_kwh ?? 0);
    const end = levelsOf(storage, powers, hours).at(-1)!;
    cost.end_value += ((end - storage.start_wh) / 1000) * (storage.end_value_per_kwh ?? 0);
  }
  if (import_limit_w !== undefined && over_import_price_per_kw !== undefined)
    cost.over_import = over_import_price_per_kw * Math.max(0, ...importKw.map((kw) => kw - import_limit_w / 1000));
  cost.total = cost.energy + cost.peaks + cost.wear + cost.over_import - cost.end_value;
  return cost;
}

const leastMissWh = 0.01; // less is rounding

/** Lists the rules that a schedule breaks, with the sum of the energy over all steps. */
export function missesOf(problem: PlanProblem, schedule: Schedule): PlanMiss[] {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const sum = (ofStep: (t: number, h: number) => number): number =>
    hours.reduce((all, h, t) => all + Math.max(0, ofStep(t, h)), 0);
  const { import_limit_w, export_limit_w, over_import_price_per_kw } = problem.grid;
  const misses: PlanMiss[] = [];
  const add = (what: PlanMiss['what'], storage: string | null, wh: number): void => {
    if (wh > leastMissWh) misses.push({ what, storage, wh: Math.round(wh * 100) / 100 });
  };
  for (const [n, storage] of problem.storages.entries()) {
    const powers = schedule.storages[n]!;
    const levels = levelsOf(storage, powers, hours);
    const isFull = (t: number): boolean => levels[t]! >= storage.max_wh - leastMissWh;
    const outside = sum((t) => Math.max(storage.min_wh - levels[t]!, levels[t]! - storage.max_wh));
    add('storage_limit', storage.id, outside);
    const missed = (storage.goals ?? []).map(({ step, wh }) => Math.max(0, wh - levels[step]!));
    add(
      'goal',
      storage.id,
      missed.reduce((all, wh) => all + wh, 0),
    );
    const due = (t: number): number => (isPresent(storage, t) && !isFull(t) ? (storage.must_charge_w?.[t] ?? 0) : 0);
    const short = sum((t, h) => (Math.min(due(t), storage.charge_w) - powers.charge[t]!) * h);
    add('must_charge', storage.id, short);
  }
  if (import_limit_w !== undefined && over_import_price_per_kw === undefined)
    add(
      'import_limit',
      null,
      sum((t, h) => (grid[t]! - import_limit_w) * h),
    );
  if (export_limit_w !== undefined)
    add(
      'export_limit',
      null,
      sum((t, h) => (-grid[t]! - export_limit_w) * h),
    );
  return misses;
}
