import type { PlanProblem, PlanStep, PlanStorage } from '#contract/plan.ts';
import type { PlanSaying } from '#contract/plan-sentences.ts';
import { formatTime } from '#contract/time.ts';
import { inEnglish } from './english.ts';
import { addedFee, chargedPeaks, peakOf, peakPeriods } from './peaks.ts';
import { gridOf, hoursOf, isPresent, levelsOf, type Schedule } from './schedule.ts';

type Reason = PlanStep['reason'];

const idleW = 1; // of the grid; less is rounding
const actsW = 50; // of a storage; less would be written as 0.0 kW
const leastFee = 0.005;
const levelWh = 1; // smaller differences of a level are rounding
const leastHeldWh = 50; // less would be written as 0.0 kWh

/** The reason of each storage that does something or waits, and that of the storage with the highest power. */
type StepReasons = { step: Reason; storages: (Reason | undefined)[] };

/** Explains what each storage does in each step with prices, powers and fees of the plan itself. */
export function explain(problem: PlanProblem, schedule: Schedule): StepReasons[] {
  const hours = hoursOf(problem);
  const grid = gridOf(problem, schedule);
  const peaks = peaksAt(problem, grid);
  const starts = startsOf(problem);
  const timeOf = (step: number): string => formatTime(starts[step]!);
  const levels = problem.storages.map((storage, n) => levelsOf(storage, schedule.storages[n]!, hours));
  return hours.map((_, t) => {
    const storages = problem.storages.map((_storage, n) => explainStorage(n, t));
    const most = mostActive(schedule, t);
    const first = most === undefined ? storages.find((found) => found) : storages[most];
    return { step: first ?? reason(t, 'none', { key: 'idle' }), storages };
  });

  function explainStorage(n: number, t: number): Reason | undefined {
    const { charge, discharge } = schedule.storages[n]!;
    if (charge[t]! > actsW) return explainCharge(n, t);
    return discharge[t]! > actsW ? explainDischarge(n, t) : (explainHold(n, t) ?? explainWait(n, t));
  }

  /** Returns the price of a kWh more from, or less to, the grid. */
  function priceAt(t: number): number {
    if (grid[t]! > idleW) return problem.import_price[t]!;
    if (grid[t]! < -idleW) return problem.export_price[t]!;
    const discharges = schedule.storages.some(({ discharge }) => discharge[t]! > idleW);
    return discharges ? problem.import_price[t]! : Math.max(0, problem.export_price[t]!);
  }

  /** Returns where a storage charges from: the grid, the sun alone, or what another storage discharges. */
  function sourceAt(t: number): 'bought' | 'sun' | 'stored' {
    if (grid[t]! > idleW) return 'bought';
    return schedule.storages.some(({ discharge }) => discharge[t]! > idleW) ? 'stored' : 'sun';
  }

  /** Returns the step in which the energy is used that is stored in this one: the first that ends below the level before it. */
  function useOf(n: number, t: number): number | undefined {
    const before = t === 0 ? problem.storages[n]!.start_wh : levels[n]![t - 1]!;
    const { discharge } = schedule.storages[n]!;
    const reached = Math.max(before, levels[n]![t]! - levelWh);
    for (let k = t + 1; k < hours.length; k++) if (discharge[k]! > actsW && levels[n]![k]! < reached) return k;
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
    const source = sourceAt(t);
    const cost = priceAt(t);
    const power_kw = thousands(schedule.storages[n]!.charge[t]!);
    const power = source === 'bought' ? { power_kw, price: amount(cost) } : { power_kw };
    const use = useOf(n, t);
    const kept = storage.charge_efficiency * storage.discharge_efficiency;
    const saved = use === undefined ? 0 : (priceAt(use) - (storage.wear_per_kwh ?? 0)) * kept - cost;
    const code = ({ bought: 'charge_cheap', sun: 'charge_sun', stored: 'charge_stored' } as const)[source];
    if (use !== undefined && saved > 0.005)
      return reason(t, code, { key: `${source}_saves`, ...power, saved: amount(saved), at: timeOf(use) });
    if (use !== undefined && peaks[use]!.fee > 0)
      return reason(t, 'charge_peak', {
        key: `${source}_peak`,
        ...power,
        at: timeOf(use),
        fee: amount(peaks[use]!.fee),
      });
    const goal = nextGoal(storage, t);
    if (goal && goal.wh > levels[n]![t]! - schedule.storages[n]!.charge[t]! * hours[t]!) {
      const by = { energy_kwh: thousands(goal.wh), at: timeOf(goal.step + 1) };
      return reason(t, 'charge_goal', { key: `${source}_goal`, ...power, ...by });
    }
    return reason(t, code, { key: `${source}_worth`, ...power, worth: amount(storage.end_value_per_kwh ?? 0) });
  }

  function explainDischarge(n: number, t: number): Reason {
    const watts = schedule.storages[n]!.discharge[t]!;
    if (grid[t]! < -idleW && problem.storages[n]!.to_grid !== false) {
      const sold = { power_kw: thousands(Math.min(-grid[t]!, watts)), price: amount(problem.export_price[t]!) };
      return reason(t, 'discharge_sell', { key: 'sells', ...sold });
    }
    const power_kw = thousands(watts);
    const { fee, importKw } = peaks[t]!;
    if (fee > 0) {
      const kept = { grid_kw: Number(importKw.toFixed(1)), fee: amount(fee) };
      return reason(t, 'discharge_peak', { key: 'keeps_peak', power_kw, ...kept });
    }
    return reason(t, 'discharge_dear', { key: 'replaces', power_kw, price: amount(problem.import_price[t]!) });
  }

  /** Explains why a storage keeps what it has. */
  function explainHold(n: number, t: number): Reason | undefined {
    const { min_wh } = problem.storages[n]!;
    const next = nextOf(schedule.storages[n]!.discharge, t);
    if (next < 0 || levels[n]![t]! < min_wh + leastHeldWh) return undefined;
    const prices = { price_then: amount(priceAt(next)), price: amount(priceAt(t)) };
    const kept = { energy_kwh: thousands(levels[n]![t]! - min_wh), at: timeOf(next) };
    if (peaks[next]!.fee > 0)
      return reason(t, 'hold', { key: 'held_for_peak', ...kept, fee: amount(peaks[next]!.fee) });
    return prices.price_then > prices.price
      ? reason(t, 'hold', { key: 'held_for_price', ...kept, ...prices })
      : undefined;
  }

  /** Explains why a storage that could charge does so later. */
  function explainWait(n: number, t: number): Reason | undefined {
    const storage = problem.storages[n]!;
    const next = nextOf(schedule.storages[n]!.charge, t);
    if (next < 0 || !isPresent(storage, t) || levels[n]![t]! >= storage.max_wh - levelWh) return undefined;
    const [at, prices] = [timeOf(next), { price_then: amount(priceAt(next)), price: amount(priceAt(t)) }];
    if (peaks[t]!.fee > peaks[next]!.fee)
      return reason(t, 'wait', { key: 'waits_for_peak', at, fee: amount(peaks[t]!.fee) });
    return prices.price_then < prices.price ? reason(t, 'wait', { key: 'waits_for_price', at, ...prices }) : undefined;
  }
}

// Rounded as they are written, so that all languages say the same.
const amount = (value: number): number => Number(value.toFixed(2));
const thousands = (value: number): number => Number((value / 1000).toFixed(1));

function mostActive({ storages }: Schedule, t: number): number | undefined {
  const powers = storages.map(({ charge, discharge }) => Math.max(charge[t]!, discharge[t]!));
  const most = Math.max(0, ...powers);
  return most > actsW ? powers.indexOf(most) : undefined;
}

const nextOf = (powers: Float64Array, t: number): number => powers.findIndex((w, k) => k > t && w > actsW);

/** Returns the starts of all steps, and the end of the last one. */
function startsOf({ start, steps_s }: PlanProblem): number[] {
  const starts = [Date.parse(start)];
  for (const seconds of steps_s) starts.push(starts.at(-1)! + seconds * 1000);
  return starts;
}

/** Returns, for each step, what 1 kW more in its window would add to the fees, and the mean import of that window; 0 where there is room. */
function peaksAt(problem: PlanProblem, grid: Float64Array): { fee: number; importKw: number }[] {
  const importKw = grid.map((w) => Math.max(w, 0) / 1000);
  const found = problem.steps_s.map(() => ({ fee: 0, importKw: 0 }));
  for (const period of peakPeriods(problem)) {
    const counted = chargedPeaks(period, importKw);
    const lowest = counted.at(-1) ?? 0;
    for (const window of period.windows) {
      const peak = peakOf(window, importKw);
      if (peak < lowest - 0.01) continue;
      const more = importKw.slice();
      for (const [step] of window.shares) more[step]! += 1;
      const fee = addedFee(period, more) - addedFee(period, importKw);
      if (fee < leastFee) continue;
      const weight = window.shares.reduce((sum, [, share]) => sum + share, 0);
      for (const [step] of window.shares) if (fee > found[step]!.fee) found[step] = { fee, importKw: peak / weight };
    }
  }
  return found;
}
