import type { PlanProblem } from '#contract/plan.ts';
import { hoursOf, isPresent, keptAfter, type Schedule } from './schedule.ts';

/**
 * Returns what devices do without a plan: cars charge as soon as they are connected, other storages take surplus and cover the
 * house, and nobody looks at prices.
 */
export function selfConsumption(problem: PlanProblem): Schedule {
  const hours = hoursOf(problem);
  const schedule: Schedule = {
    solarUsed: Float64Array.from(problem.solar_w),
    storages: problem.storages.map(() => ({
      charge: new Float64Array(hours.length),
      discharge: new Float64Array(hours.length),
    })),
  };
  const levels = problem.storages.map(({ start_wh }) => start_wh);
  for (const [t, h] of hours.entries()) {
    let need = problem.load_w[t]! - problem.solar_w[t]!;
    for (const isCar of [true, false])
      for (const [n, storage] of problem.storages.entries()) {
        if ((storage.kind === 'car') !== isCar) continue;
        const before = levels[n]! * keptAfter(storage, h) - (storage.use_wh?.[t] ?? 0);
        const { charge_efficiency, discharge_efficiency } = storage;
        const isHere = isPresent(storage, t);
        const room = isHere ? Math.max(0, (storage.max_wh - before) / charge_efficiency / h) : 0;
        const stored = isHere ? Math.max(0, ((before - storage.min_wh) * discharge_efficiency) / h) : 0;
        const charge = Math.min(storage.charge_w, room, isCar ? room : Math.max(0, -need));
        const isTooLittle = charge < (storage.charge_min_w ?? 0) && charge < room - 1e-6;
        const charged = isTooLittle ? 0 : charge;
        const discharged = isCar ? 0 : Math.min(storage.discharge_w, stored, Math.max(0, need));
        schedule.storages[n]!.charge[t] = charged;
        schedule.storages[n]!.discharge[t] = discharged;
        levels[n] = before + charged * h * charge_efficiency - (discharged * h) / discharge_efficiency;
        need += charged - discharged;
      }
    if (problem.solar_curtailable && need < 0) {
      const limit = problem.grid.export_limit_w ?? Number.POSITIVE_INFINITY;
      schedule.solarUsed[t] = Math.max(0, problem.solar_w[t]! - Math.max(0, -need - limit));
    }
  }
  return schedule;
}
