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
    let wanted = series.load_w[step]!;
    for (const [n, storage] of replayCase.storages.entries()) {
      const use = storage.use_wh?.[step] ?? 0;
      const before = levels.get(storage)! * keptAfter(storage, hours) - use;
      const power = isPresent(storage, step) ? allowedPower(storage, before, decided.get(storage)!, hours) : 0;
      schedule.storages[n]!.charge[step - from] = Math.max(0, power);
      schedule.storages[n]!.discharge[step - from] = Math.max(0, -power);
      levels.set(
        storage,
        before +
          (power > 0 ? power * hours * storage.charge_efficiency : (power * hours) / storage.discharge_efficiency),
      );
      wanted += power;
    }
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
