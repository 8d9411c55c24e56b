import type { PlanProblem, PlanStorage } from '#contract/plan.ts';
import { peakPeriods } from './peaks.ts';
import { costOf, hoursOf, isPresent, keptAfter, missesOf, type Schedule, type StoragePowers } from './schedule.ts';

const maxLevels = 161;
const fewStorages = 4; // more share the time of so many: it grows with the square of the levels
const levelsInStep = 24; // of a long plan, which the highest power passes in its longest step
const manySteps = 400;
const tries = 8; // of a limit for the import, when there are peak fees
const idleW = 1e-6; // less is rounding
const brokenPrice = 1000; // per kWh: rules before costs

/**
 * Plans without the solver: one storage after the other by dynamic programming over its levels, with several limits of the
 * import where peaks cost something, of which the cheapest wins. Coarser than the solver, but always ready in time.
 */
export function planByLevels(problem: PlanProblem): Schedule {
  const limits = [Number.POSITIVE_INFINITY];
  if (peakPeriods(problem).length > 0) {
    const most = Math.max(...problem.load_w);
    for (let n = 1; n < tries; n++) limits.push((most * n) / (tries - 2));
  }
  const found = limits.map((limitW) => {
    const schedule = planWithin(problem, limitW);
    const missed = missesOf(problem, schedule).reduce((sum, { wh }) => sum + wh / 1000, 0);
    return { schedule, cost: costOf(problem, schedule).total + missed * brokenPrice };
  });
  return found.reduce((best, next) => (next.cost < best.cost ? next : best)).schedule;
}

function planWithin(problem: PlanProblem, limitW: number): Schedule {
  const count = problem.steps_s.length;
  const idle = (): StoragePowers => ({ charge: new Float64Array(count), discharge: new Float64Array(count) });
  const schedule: Schedule = { solarUsed: Float64Array.from(problem.solar_w), storages: problem.storages.map(idle) };
  for (const [n, storage] of problem.storages.entries()) {
    const net = Float64Array.from(problem.load_w, (load, t) =>
      schedule.storages.reduce((sum, { charge, discharge }) => sum + charge[t]! - discharge[t]!, load),
    );
    schedule.storages[n] = planStorage(problem, storage, { net, limitW, ranges: rangesOf(problem, schedule, n, net) });
  }
  if (problem.solar_curtailable) curtail(problem, schedule);
  return schedule;
}

type Range = { most: number; least: number };

/**
 * Returns the powers of a storage by which neither it nor an earlier one charges from the grid or discharges to it although it
 * may not.
 */
function rangesOf(problem: PlanProblem, { storages }: Schedule, n: number, net: Float64Array): Range[] {
  const sum = (rule: 'from_grid' | 'to_grid', flow: 'charge' | 'discharge', t: number): number =>
    storages.reduce((all, powers, i) => (problem.storages[i]![rule] === false ? all + powers[flow][t]! : all), 0);
  return problem.solar_w.map((offered, t) => {
    const load = problem.load_w[t]!;
    const { from_grid, to_grid } = problem.storages[n]!;
    const mayImport = from_grid !== false && sum('from_grid', 'charge', t) < Math.max(0, offered - load) + idleW;
    const mayExport = to_grid !== false && sum('to_grid', 'discharge', t) < Math.max(0, load - offered) + idleW;
    return {
      most: mayImport ? Number.POSITIVE_INFINITY : Math.max(0, offered - net[t]!),
      least: mayExport ? Number.NEGATIVE_INFINITY : Math.min(0, offered - net[t]!),
    };
  });
}

/** Uses less of the sun where selling costs, or is not allowed. */
function curtail(problem: PlanProblem, { solarUsed, storages }: Schedule): void {
  const limit = problem.grid.export_limit_w ?? Number.POSITIVE_INFINITY;
  for (const t of problem.steps_s.keys()) {
    const wanted = storages.reduce(
      (sum, { charge, discharge }) => sum + charge[t]! - discharge[t]!,
      problem.load_w[t]!,
    );
    const sold = problem.export_price[t]! < 0 ? 0 : limit;
    solarUsed[t] = Math.max(0, Math.min(solarUsed[t]!, wanted + sold));
    const needsSun = storages.some(({ charge }, n) => problem.storages[n]!.from_grid === false && charge[t]! > 0);
    if (problem.import_price[t]! < 0 && !needsSun) solarUsed[t] = 0;
  }
}

type Around = { net: Float64Array; limitW: number; ranges: readonly Range[] };

function planStorage(problem: PlanProblem, storage: PlanStorage, around: Around): StoragePowers {
  const hours = hoursOf(problem);
  const [low, high] = [Math.min(storage.min_wh, storage.start_wh), Math.max(storage.max_wh, storage.start_wh)];
  const stepWh = Math.max(storage.charge_w, storage.discharge_w) * Math.max(...hours);
  const enough = Math.ceil((levelsInStep * (high - low)) / Math.max(1, stepWh)) + 1;
  const share = Math.min(1, Math.sqrt(fewStorages / problem.storages.length));
  const most = Math.max(levelsInStep, Math.floor(maxLevels * share));
  const levelCount = hours.length > manySteps ? Math.min(most, Math.max(levelsInStep, enough)) : most;
  const gridWh = (high - low) / (levelCount - 1) || 1;
  const levelAt = (i: number): number => low + i * gridWh;
  const nearest = (wh: number): number => Math.min(levelCount - 1, Math.max(0, Math.round((wh - low) / gridWh)));
  const goals = new Map(storage.goals?.map(({ step, wh }) => [step, wh]));
  const endValue = (storage.end_value_per_kwh ?? 0) / 1000;
  let ahead = Float64Array.from({ length: levelCount }, (_, i) => -levelAt(i) * endValue);
  const choices: Int16Array[] = [];
  const powersTo = (t: number, from: number, to: number): number => {
    const change = to - from * keptAfter(storage, hours[t]!) + (storage.use_wh?.[t] ?? 0);
    const h = hours[t]!;
    return change > 0 ? change / storage.charge_efficiency / h : (change * storage.discharge_efficiency) / h;
  };
  /** Returns the range of levels that can be reached. */
  const reachable = (t: number, i: number): [first: number, last: number] => {
    const kept = levelAt(i) * keptAfter(storage, hours[t]!) - (storage.use_wh?.[t] ?? 0);
    const up = storage.charge_w * hours[t]! * storage.charge_efficiency;
    const down = (storage.discharge_w * hours[t]!) / storage.discharge_efficiency;
    return [nearest(kept - down), nearest(kept + up)];
  };
  for (let t = hours.length - 1; t >= 0; t--) {
    const best = new Float64Array(levelCount).fill(Number.POSITIVE_INFINITY);
    const choice = new Int16Array(levelCount).fill(-1);
    const h = hours[t]!;
    const [most, least] = isPresent(storage, t) ? [storage.charge_w, -storage.discharge_w] : [0, 0];
    for (let i = 0; i < levelCount; i++) {
      const [first, last] = reachable(t, i);
      for (let j = first; j <= last; j++) {
        let w = powersTo(t, levelAt(i), levelAt(j));
        const isRounding = j === nearest(levelAt(i) * keptAfter(storage, h) - (storage.use_wh?.[t] ?? 0));
        if (isRounding) w = 0;
        if (w > most + 1e-6 || w < least - 1e-6) continue;
        if (w > 0 && w < (storage.charge_min_w ?? 0) && j < levelCount - 1) continue;
        const short = Math.max(0, (goals.get(t) ?? 0) - levelAt(j)) + Math.max(0, storage.min_wh - levelAt(j));
        const cost = ahead[j]! + stepCost(problem, storage, around, t, w) * h + (short / 1000) * brokenPrice;
        if (cost < best[i]!) {
          best[i] = cost;
          choice[i] = j;
        }
      }
    }
    ahead = best;
    choices.unshift(choice);
  }
  return follow(storage, hours, choices, { levelAt, nearestTo: nearest, powersTo, ranges: around.ranges });
}

/** Returns the cost per hour of a power of the storage. */
function stepCost(problem: PlanProblem, storage: PlanStorage, around: Around, t: number, w: number): number {
  const { net, limitW, ranges } = around;
  const wanted = net[t]! + w;
  const offered = problem.solar_w[t]!;
  const sold = problem.export_price[t]!;
  let grid = wanted - offered;
  if (problem.solar_curtailable && grid < 0 && sold < 0) grid = Math.min(0, wanted);
  const limit = Math.min(limitW, problem.grid.import_limit_w ?? Number.POSITIVE_INFINITY);
  const over = Math.max(0, grid - limit, -grid - (problem.grid.export_limit_w ?? Number.POSITIVE_INFINITY));
  const { most, least } = ranges[t]!;
  const misdirected = Math.max(0, w - most, least - w);
  const wear = (Math.max(0, -w) * (storage.wear_per_kwh ?? 0)) / 1000;
  const energy = (grid * (grid > 0 ? problem.import_price[t]! : sold)) / 1000;
  return energy + wear + ((over + misdirected) * brokenPrice) / 1000;
}

type Grid = {
  levelAt(i: number): number;
  nearestTo(wh: number): number;
  powersTo(t: number, from: number, to: number): number;
  ranges: readonly Range[];
};

/** Follows the choices from the level at the start, with powers that are possible from the true level. */
function follow(storage: PlanStorage, hours: readonly number[], choices: readonly Int16Array[], grid: Grid) {
  const [charge, discharge] = [new Float64Array(hours.length), new Float64Array(hours.length)];
  let level = storage.start_wh;
  for (const [t, h] of hours.entries()) {
    const from = grid.nearestTo(level);
    const to = choices[t]![from]!;
    const isIdle = to < 0 || !isPresent(storage, t) || to === grid.nearestTo(level * keptAfter(storage, h));
    const allowed = grid.ranges[t]!;
    const w = isIdle ? 0 : Math.min(allowed.most, Math.max(allowed.least, grid.powersTo(t, level, grid.levelAt(to))));
    const least = storage.charge_min_w ?? 0;
    if (w > 0 && (w >= least || to === choices[t]!.length - 1)) charge[t] = Math.min(w, storage.charge_w);
    else if (w < 0) discharge[t] = Math.min(-w, storage.discharge_w);
    level =
      level * keptAfter(storage, h) +
      charge[t]! * h * storage.charge_efficiency -
      (discharge[t]! * h) / storage.discharge_efficiency -
      (storage.use_wh?.[t] ?? 0);
  }
  return { charge, discharge };
}
