import type { PlanProblem, PlanStep, PlanStorage } from '#contract/plan.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import { formatTime } from '#contract/time.ts';
import { inEnglish } from './english.ts';
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
  const starts = startsOf(problem);
  const timeOf = (step: number): string => formatTime(starts[step]!);
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

  function nextGoal({ goals = [] }: PlanStorage, t: number) {
    return goals.filter(({ step }) => step >= t).toSorted((a, b) => a.step - b.step)[0];
  }

  function reason(t: number, code: Reason['code'], says: PlanSaying): Reason {
    return { code, text: inEnglish(says, { timeZone: problem.timezone, fromMs: starts[t]! }), says };
  }

  function explainCharge(n: number, t: number): Reason {
    const storage = problem.storages[n]!;
    const isBought = grid[t]! > idleW;
    const cost = priceAt(t);
    const power = { power_kw: thousands(schedule.storages[n]!.charge[t]!), ...(isBought && { price: amount(cost) }) };
    const source = isBought ? 'bought' : 'sun';
    const use = useOf(n, t);
    const kept = storage.charge_efficiency * storage.discharge_efficiency;
    const saved = use === undefined ? 0 : (priceAt(use) - (storage.wear_per_kwh ?? 0)) * kept - cost;
    const code = isBought ? 'charge_cheap' : 'charge_sun';
    if (use !== undefined && saved > 0.005)
      return reason(t, code, { key: `${source}_saves`, ...power, saved: amount(saved), at: timeOf(use) });
    if (use !== undefined && fees[use]! > 0)
      return reason(t, code, { key: `${source}_peak`, ...power, at: timeOf(use), fee: amount(fees[use]!) });
    const goal = nextGoal(storage, t);
    if (goal && goal.wh > levels[n]![t]! - schedule.storages[n]!.charge[t]! * hours[t]!) {
      const by = { energy_kwh: thousands(goal.wh), at: timeOf(goal.step + 1) };
      return reason(t, 'charge_goal', { key: `${source}_goal`, ...power, ...by });
    }
    return reason(t, code, { key: `${source}_worth`, ...power, worth: amount(storage.end_value_per_kwh ?? 0) });
  }

  function explainDischarge(n: number, t: number): Reason {
    const watts = schedule.storages[n]!.discharge[t]!;
    if (grid[t]! < -idleW) {
      const sold = { power_kw: thousands(Math.min(-grid[t]!, watts)), price: amount(problem.export_price[t]!) };
      return reason(t, 'discharge_sell', { key: 'sells', ...sold });
    }
    const power_kw = thousands(watts);
    if (fees[t]! > 0) {
      const kept = { grid_kw: thousands(grid[t]!), fee: amount(fees[t]!) };
      return reason(t, 'discharge_peak', { key: 'keeps_peak', power_kw, ...kept });
    }
    return reason(t, 'discharge_dear', { key: 'replaces', power_kw, price: amount(problem.import_price[t]!) });
  }

  function explainIdle(t: number): Reason {
    for (const [n, storage] of problem.storages.entries()) {
      if (levels[n]![t]! <= storage.min_wh + levelWh) continue;
      const next = schedule.storages[n]!.discharge.findIndex((w, k) => k > t && w > idleW);
      if (next < 0) continue;
      const [cost, then] = [priceAt(t), priceAt(next)];
      const kept = { energy_kwh: thousands(levels[n]![t]! - storage.min_wh), at: timeOf(next) };
      if (fees[next]! > 0) return reason(t, 'hold', { key: 'held_for_peak', ...kept, fee: amount(fees[next]!) });
      if (then > cost)
        return reason(t, 'hold', { key: 'held_for_price', ...kept, price_then: amount(then), price: amount(cost) });
    }
    return reason(t, 'none', { key: 'idle' });
  }
}

// Rounded as they are written, so that all languages say the same.
const amount = (value: number): number => Number(value.toFixed(2));
const thousands = (value: number): number => Number((value / 1000).toFixed(1));

function mostActive({ storages }: Schedule, t: number): number | undefined {
  const powers = storages.map(({ charge, discharge }) => Math.max(charge[t]!, discharge[t]!));
  const most = Math.max(0, ...powers);
  return most > idleW ? powers.indexOf(most) : undefined;
}

/** Returns the starts of all steps, and the end of the last one. */
function startsOf({ start, steps_s }: PlanProblem): number[] {
  const starts = [Date.parse(start)];
  for (const seconds of steps_s) starts.push(starts.at(-1)! + seconds * 1000);
  return starts;
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
