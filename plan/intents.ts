import type { Intent } from '#contract/gateway-plan.ts';
import type { PlanAnswer, PlanProblem, PlanStorage } from '#contract/plan.ts';
import { addedFee, chargedPeaks, peakOf, peakPeriods } from './peaks.ts';

type Step = PlanAnswer['steps'][number];

const idleW = 20; // smaller powers are rounding
const fullWh = 10;

/**
 * Returns what each storage intends in each step. An intent leaves room for what the forecast missed: energy from the sun is
 * stored as it is offered, and the house is covered as it needs.
 */
export function intentsOf(problem: PlanProblem, steps: readonly Step[]): Record<string, Intent>[] {
  return steps.map((step, t) =>
    Object.fromEntries(problem.storages.map((storage) => [storage.id, intentOf(storage, step, t)])),
  );
}

function intentOf(storage: PlanStorage, { grid_w, storages }: Step, t: number): Intent {
  const { charge_w, discharge_w, wh } = storages[storage.id]!;
  const level = Math.max(0, wh);
  const [imports, exports] = [grid_w > idleW, grid_w < -idleW];
  const isFull = wh >= storage.max_wh - fullWh;
  if (charge_w > idleW) {
    // What charges with a least power or for a goal must not depend on the sun being as expected.
    const isForGoal = (storage.goals ?? []).some((goal) => goal.step >= t && goal.wh > wh - fullWh);
    const isFirm = imports || (storage.charge_min_w ?? 0) > 0 || isForGoal;
    if (isFirm) return { mode: 'charge', power_w: charge_w, wh: level };
    // Export at the same time is intended, unless the storage cannot take more.
    const most = exports && !isFull ? charge_w : storage.charge_w;
    return { mode: 'store', power_w: most, wh: level };
  }
  if (discharge_w > idleW) {
    if (exports) return { mode: 'discharge', power_w: discharge_w, wh: level };
    return { mode: 'cover', power_w: imports ? discharge_w : storage.discharge_w, wh: level };
  }
  if (exports)
    return isFull && storage.discharge_w > 0
      ? { mode: 'cover', power_w: storage.discharge_w, wh: level } // a cloud is bridged, and the sun fills it again
      : { mode: 'hold', power_w: 0, wh: level };
  // Idle without surplus: what is stored is kept for later, and surplus that was not expected is stored.
  const canStore = !isFull && (storage.charge_min_w ?? 0) === 0 && storage.charge_w > 0;
  return canStore ? { mode: 'store', power_w: storage.charge_w, wh: level } : { mode: 'hold', power_w: 0, wh: level };
}

const leastFee = 0.005; // of a kW more, in the currency; less is rounding

/**
 * Returns the mean import in W that the windows of each step should not exceed, because the power charge would grow. Undefined
 * for steps that do not count.
 */
export function peakLimitsOf(problem: PlanProblem, gridW: ArrayLike<number>): (number | undefined)[] {
  const importKw = Array.from(gridW, (w) => Math.max(w, 0) / 1000);
  const limits = problem.steps_s.map((): number | undefined => undefined);
  for (const period of peakPeriods(problem)) {
    const { fee, windows, earlier, count } = period;
    const lowest = chargedPeaks(period, importKw)[count - 1] ?? 0;
    const ofDay = new Map(fee.one_per_day ? earlier : []);
    if (fee.one_per_day)
      for (const window of windows)
        ofDay.set(window.day, Math.max(ofDay.get(window.day) ?? 0, peakOf(window, importKw)));
    for (const window of windows) {
      const planned = peakOf(window, importKw);
      const allowed = Math.max(lowest, ofDay.get(window.day) ?? 0, planned);
      const weight = window.shares.reduce((sum, [, share]) => sum + share, 0);
      if (weight <= 0 || !growsBeyond(period, window, importKw, allowed / weight)) continue;
      for (const [step] of window.shares)
        limits[step] = Math.min(limits[step] ?? Number.POSITIVE_INFINITY, (allowed / weight) * 1000);
    }
  }
  return limits;
}

/** Tells whether a kW more than a limit would add to the fee. */
function growsBeyond(
  period: ReturnType<typeof peakPeriods>[number],
  window: (typeof period)['windows'][number],
  importKw: readonly number[],
  limitKw: number,
): boolean {
  const more = importKw.slice();
  for (const [step] of window.shares) more[step] = limitKw + 1;
  return addedFee(period, more) - addedFee(period, importKw) > leastFee;
}
