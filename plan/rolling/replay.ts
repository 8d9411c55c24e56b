import type { PlanCost, PlanProblem, PlanReplayCase } from '#contract/plan.ts';
import { allowedPower, costOf, gridOf, isPresent, keptAfter, levelsOf, type Schedule } from '../schedule.ts';
import { selfConsumption } from '../self-consumption.ts';
import { RollingPlanner } from './rolling-planner.ts';
import type { Series } from './world.ts';

export type Replayed = {
  problem: PlanProblem;
  schedule: Schedule;
  cost: PlanCost;
  noStorage: PlanCost;
  selfConsumption: PlanCost;
};

const roundingW = 1e-6;

export type ReplayOptions = {
  /** called now and then with the share that is done */
  onProgress?(share: number): void;
};

/** Replays a series with the knowledge of each time, and adds up the cost. */
export function replay(replayCase: PlanReplayCase, series: Series, { onProgress }: ReplayOptions = {}): Replayed {
  const { startMs, stepMs } = series;
  const stepAt = (time: string): number =>
    Math.min(series.load_w.length, Math.max(0, Math.round((Date.parse(time) - startMs) / stepMs)));
  const from = stepAt(replayCase.replay.evaluate_from);
  const to = stepAt(replayCase.replay.evaluate_to);
  const problem = problemOf(replayCase, series, from, to);
  const planner = new RollingPlanner(replayCase, series, from, to);
  const count = to - from;
  const schedule: Schedule = {
    solarUsed: new Float64Array(count),
    storages: replayCase.storages.map(() => ({ charge: new Float64Array(count), discharge: new Float64Array(count) })),
  };
  const levels = new Map(replayCase.storages.map((storage) => [storage, storage.start_wh]));
  const hours = stepMs / 3_600_000;
  for (let step = from; step < to; step++) {
    const decided = planner.decide(step, levels);
    const before = replayCase.storages.map(
      (storage) => levels.get(storage)! * keptAfter(storage, hours) - (storage.use_wh?.[step] ?? 0),
    );
    const wished = replayCase.storages.map((storage, n) =>
      isPresent(storage, step) ? allowedPower(storage, before[n]!, decided.get(storage)!, hours) : 0,
    );
    const powers = replayCase.replay.reacts ? withinDirections(replayCase, series, step, wished) : wished;
    for (const [n, storage] of replayCase.storages.entries()) {
      const power = powers[n]!;
      schedule.storages[n]!.charge[step - from] = Math.max(0, power);
      schedule.storages[n]!.discharge[step - from] = Math.max(0, -power);
      levels.set(
        storage,
        before[n]! +
          (power > 0 ? power * hours * storage.charge_efficiency : (power * hours) / storage.discharge_efficiency),
      );
    }
    const wanted = powers.reduce((sum, power) => sum + power, series.load_w[step]!);
    const used = sunUsed(replayCase, series, step, wanted);
    schedule.solarUsed[step - from] = used;
    planner.realise(step, Math.max(0, wanted - used) / 1000);
    if ((step - from) % 256 === 0) onProgress?.((step - from) / count);
  }
  const none = { ...problem, storages: [] };
  return {
    problem,
    schedule,
    cost: costOf(problem, schedule),
    noStorage: costOf(none, selfConsumption(none)),
    selfConsumption: costOf(problem, selfConsumption(problem)),
  };
}

/** Returns powers that are reduced where storages together would use the grid although they may not; charging is positive. */
function withinDirections(
  replayCase: PlanReplayCase,
  series: Series,
  step: number,
  powers: readonly number[],
): readonly number[] {
  const load = series.load_w[step]!;
  const wanted = powers.reduce((sum, power) => sum + power, load);
  const used = sunUsed(replayCase, series, step, wanted);
  const sign = wanted > used ? 1 : -1;
  const rule = sign > 0 ? 'from_grid' : 'to_grid';
  const isRestricted = (n: number): boolean => replayCase.storages[n]![rule] === false && sign * powers[n]! > 0;
  const total = powers.reduce((sum, power, n) => (isRestricted(n) ? sum + sign * power : sum), 0);
  const excess = Math.min(sign * (wanted - used), total - Math.max(0, sign * (used - load)));
  if (excess <= roundingW) return powers;
  return powers.map((power, n) => {
    if (!isRestricted(n)) return power;
    const reduced = power * (1 - excess / total);
    return reduced > 0 && reduced < (replayCase.storages[n]!.charge_min_w ?? 0) ? 0 : reduced;
  });
}

function sunUsed(replayCase: PlanReplayCase, series: Series, step: number, wanted: number): number {
  const offered = series.solar_w[step]!;
  if (!replayCase.solar_curtailable) return offered;
  if (series.import_price[step]! < 0) return 0;
  const sold = series.export_price[step]! < 0 ? 0 : (replayCase.grid.export_limit_w ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(offered, wanted + sold));
}

/** Returns what happened as a problem, in which everything is known. */
export function problemOf(
  { replay: _, ...rest }: PlanReplayCase,
  series: Series,
  from: number,
  to: number,
): PlanProblem {
  const part = <T>(values: ArrayLike<T>): T[] => Array.prototype.slice.call(values, from, to);
  return {
    ...rest,
    start: new Date(series.startMs + from * series.stepMs).toISOString(),
    steps_s: new Array<number>(to - from).fill(series.stepMs / 1000),
    import_price: part(series.import_price),
    export_price: part(series.export_price),
    load_w: part(series.load_w),
    solar_w: part(series.solar_w),
    storages: rest.storages.map((storage) => ({
      ...storage,
      ...(storage.present && { present: part(storage.present) }),
      ...(storage.use_wh && { use_wh: part(storage.use_wh) }),
      ...(storage.must_charge_w && { must_charge_w: part(storage.must_charge_w) }),
      ...(storage.goals && {
        goals: storage.goals.flatMap(({ step, wh }) => (step >= from && step < to ? [{ step: step - from, wh }] : [])),
      }),
    })),
    ...(rest.peak_fees && {
      peak_fees: rest.peak_fees.map((fee) => ({
        ...fee,
        ...(fee.counted && { counted: part(fee.counted) }),
        ...(fee.weight && { weight: part(fee.weight) }),
      })),
    }),
  };
}

/** Writes what happened as a table. */
export function realisedCsv({ problem, schedule }: Replayed): string {
  const { storages, steps_s, start } = problem;
  const grid = gridOf(problem, schedule);
  const hours = steps_s.map((seconds) => seconds / 3600);
  const levels = storages.map((storage, n) => levelsOf(storage, schedule.storages[n]!, hours));
  const header = [
    'start',
    'grid_w',
    ...storages.flatMap(({ id }) => [`${id}_charge_w`, `${id}_discharge_w`, `${id}_wh`]),
  ];
  const lines = [header.join(',')];
  let at = Date.parse(start);
  for (const [t, seconds] of steps_s.entries()) {
    const cells = storages.flatMap((_, n) => {
      const { charge, discharge } = schedule.storages[n]!;
      return [charge[t]!, discharge[t]!, levels[n]![t]!].map((value) => value.toFixed(3));
    });
    lines.push([new Date(at).toISOString(), grid[t]!.toFixed(3), ...cells].join(','));
    at += seconds * 1000;
  }
  return `${lines.join('\n')}\n`;
}
