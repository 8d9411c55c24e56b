import type { PlanProblem, PlanStep, PlanStorage } from '#contract/plan.ts';
import { wallAt } from '#contract/time-zone.ts';
import { addedFee, chargedPeaks, peakOf, peakPeriods } from './peaks.ts';
import { gridOf, hoursOf, levelsOf, type Schedule } from './schedule.ts';

type Reason = PlanStep['reason'];

const idleW = 1;
const levelWh = 1; // smaller differences of a level are rounding

/** Explains each step with prices, powers and fees of the plan itself. */
export function explain(problem: PlanProblem, schedule: Schedule): Reason[] {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const fees = feesPerKw(problem, grid);
  const times = startsOf(problem);
  const levels = problem.storages.map((storage, n) => levelsOf(storage, schedule.storages[n]!, hours));
  return hours.map((_, t) => {
    const n = mostActive(schedule, t);
    if (n === undefined) return explainIdle(t);
    const { charge } = schedule.storages[n]!;
    return charge[t]! > idleW ? explainCharge(n, t) : explainDischarge(n, t);
  });

  /** Returns the price of a kWh more from, or less to, the grid. */
  function priceAt(t: number): number {
    if (grid[t]! > idleW) return problem.import_price[t]!;
    if (grid[t]! < -idleW) return problem.export_price[t]!;
    const discharges = schedule.storages.some(({ discharge }) => discharge[t]! > idleW);
    return discharges ? problem.import_price[t]! : Math.max(0, problem.export_price[t]!);
  }

  /** Returns the step in which the energy is used that is stored in this one: the first that ends below the level before it. */
  function useOf(n: number, t: number): number | undefined {
    const before = t === 0 ? problem.storages[n]!.start_wh : levels[n]![t - 1]!;
    const { discharge } = schedule.storages[n]!;
    const reached = Math.max(before, levels[n]![t]! - levelWh);
    for (let k = t + 1; k < hours.length; k++) if (discharge[k]! > idleW && levels[n]![k]! < reached) return k;
    return undefined;
  }

  function moreCosts(t: number): string {
    return `1 kW more would then add ${amount(fees[t]!)} to the power charge`;
  }

  function nextGoal({ goals = [] }: PlanStorage, t: number) {
    return goals.filter(({ step }) => step >= t).toSorted((a, b) => a.step - b.step)[0];
  }

  function explainCharge(n: number, t: number): Reason {
    const storage = problem.storages[n]!;
    const power = kw(schedule.storages[n]!.charge[t]!);
    const isBought = grid[t]! > idleW;
    const price = priceAt(t);
    const source = isBought ? `at ${amount(price)}` : 'from the sun';
    const use = useOf(n, t);
    const kept = storage.charge_efficiency * storage.discharge_efficiency;
    const saved = use === undefined ? 0 : (priceAt(use) - (storage.wear_per_kwh ?? 0)) * kept - price;
    const code = isBought ? 'charge_cheap' : 'charge_sun';
    if (use !== undefined && saved > 0.005)
      return { code, text: `Charging ${power} ${source}: saves ${amount(saved)} per kWh at ${times(use, t)}.` };
    if (use !== undefined && fees[use]! > 0)
      return { code, text: `Charging ${power} ${source} for ${times(use, t)}; ${moreCosts(use)}.` };
    const goal = nextGoal(storage, t);
    if (goal && goal.wh > levels[n]![t]! - schedule.storages[n]!.charge[t]! * hours[t]!) {
      const by = times(goal.step + 1, t);
      return { code: 'charge_goal', text: `Charging ${power} ${source}, for ${kwh(goal.wh)} by ${by}.` };
    }
    const value = storage.end_value_per_kwh ?? 0;
    return { code, text: `Charging ${power} ${source}; a stored kWh is worth ${amount(value)} later.` };
  }

  function explainDischarge(n: number, t: number): Reason {
    const power = kw(schedule.storages[n]!.discharge[t]!);
    if (grid[t]! < -idleW) {
      const sold = Math.min(-grid[t]!, schedule.storages[n]!.discharge[t]!);
      return { code: 'discharge_sell', text: `Selling ${kw(sold)} at ${amount(problem.export_price[t]!)}.` };
    }
    if (fees[t]! > 0)
      return {
        code: 'discharge_peak',
        text: `Discharging ${power} keeps the import at ${kw(grid[t]!)}; ${moreCosts(t)}.`,
      };
    return {
      code: 'discharge_dear',
      text: `Discharging ${power} replaces energy at ${amount(problem.import_price[t]!)}.`,
    };
  }

  function explainIdle(t: number): Reason {
    for (const [n, storage] of problem.storages.entries()) {
      if (levels[n]![t]! <= storage.min_wh + levelWh) continue;
      const next = schedule.storages[n]!.discharge.findIndex((w, k) => k > t && w > idleW);
      if (next < 0) continue;
      const [now, then] = [priceAt(t), priceAt(next)];
      const kept = `Holding ${kwh(levels[n]![t]! - storage.min_wh)} for ${times(next, t)}`;
      if (fees[next]! > 0) return { code: 'hold', text: `${kept}; ${moreCosts(next)}.` };
      if (then > now)
        return { code: 'hold', text: `${kept}, when a kWh costs ${amount(then)} instead of ${amount(now)}.` };
    }
    return { code: 'none', text: 'Nothing to gain in this step.' };
  }
}

const amount = (value: number): string => value.toFixed(2);
const kw = (w: number): string => `${(w / 1000).toFixed(1)} kW`;
const kwh = (wh: number): string => `${(wh / 1000).toFixed(1)} kWh`;

function mostActive({ storages }: Schedule, t: number): number | undefined {
  const powers = storages.map(({ charge, discharge }) => Math.max(charge[t]!, discharge[t]!));
  const most = Math.max(0, ...powers);
  return most > idleW ? powers.indexOf(most) : undefined;
}

/** Returns a function that formats the start of a step, with the date unless it is that of the step that asks. */
function startsOf({ start, steps_s, timezone }: PlanProblem): (step: number, seenFrom: number) => string {
  const starts = [Date.parse(start)];
  for (const seconds of steps_s) starts.push(starts.at(-1)! + seconds * 1000);
  const walls = starts.map((ms) => new Date(wallAt(timezone, ms)).toISOString());
  return (step, seenFrom) => {
    const [date, time] = [walls[step]!.slice(0, 10), walls[step]!.slice(11, 16)];
    return date === walls[seenFrom]!.slice(0, 10) ? time : `${time} on ${date}`;
  };
}

/** Returns, for each step, what 1 kW more in its windows would add to the fees. Zero where a window has room. */
function feesPerKw(problem: PlanProblem, grid: Float64Array): number[] {
  const importKw = grid.map((w) => Math.max(w, 0) / 1000);
  const fees = problem.steps_s.map(() => 0);
  for (const period of peakPeriods(problem)) {
    const counted = chargedPeaks(period, importKw);
    const lowest = counted.at(-1) ?? 0;
    for (const window of period.windows) {
      if (peakOf(window, importKw) < lowest - 0.01) continue;
      const more = importKw.slice();
      for (const [step] of window.shares) more[step]! += 1;
      const added = addedFee(period, more) - addedFee(period, importKw);
      for (const [step] of window.shares) fees[step] = Math.max(fees[step]!, added);
    }
  }
  return fees.map((fee) => (fee > 0.005 ? fee : 0));
}
