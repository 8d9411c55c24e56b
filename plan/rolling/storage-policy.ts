import type { PlanStorage } from '#contract/plan.ts';
import { keptAfter } from '../schedule.ts';
import { closeDay, type Flow, flowOf, type House, type Stage, stepBack, type ValueGrid, Values } from './values.ts';

/** The step that is decided, as it is, and how its peak adds to that of the day. */
export type Moment = {
  stage: Stage;
  level: number;
  /** peak of the day so far, kW */
  peak: number;
  /** returns the weighted mean import of the window in kW when this is imported in the step */
  windowPeak(importKw: number): number;
};

const fineLevels = 80;

/** Decides about one storage by the expected costs of everything that follows. */
export class StoragePolicy {
  readonly #house: House;
  #after: Values[] = []; // of each stage, at its end
  #stages: readonly Stage[] = [];

  constructor(house: House) {
    this.#house = house;
  }

  /** Computes the values of all levels and peaks, backwards from the end. */
  plan(stages: readonly Stage[], grid: ValueGrid, last: (level: number, peak: number) => number): void {
    let values = new Values(grid);
    for (let i = 0; i < grid.levels; i++)
      for (let p = 0; p < grid.peaks; p++)
        values.table[i * grid.peaks + p] = last(grid.low_wh + i * grid.step_wh, grid.lowPeak + p * grid.peakStep);
    const after = new Array<Values>(stages.length);
    for (let t = stages.length - 1; t >= 0; t--) {
      const stage = stages[t]!;
      if (stage.endOfDay && t < stages.length - 1) values = closeDay(values, stage.endOfDay);
      after[t] = values;
      if (t > 0) values = stepBack(this.#house, stage, values);
    }
    this.#after = after;
    this.#stages = stages;
  }

  /** Returns the values at the end of a stage. */
  valuesAfter(stage: number): Values | undefined {
    return this.#after[stage];
  }

  /** Returns the power that costs least; charging is positive. */
  decide(stage: number, moment: Moment): number {
    const after = this.#after[stage];
    if (!after || !moment.stage.isPresent) return 0;
    const { storage } = this.#house;
    const { level, peak, stage: now } = moment;
    const { charge_efficiency: inShare, discharge_efficiency: outShare } = storage;
    const h = now.hours;
    const idle = level * keptAfter(storage, h) - now.use_wh;
    const high = Math.max(storage.max_wh, Math.min(idle, storage.capacity_wh));
    const mostIn = Math.max(0, Math.min(storage.charge_w, (high - idle) / inShare / h));
    const mostOut = Math.max(0, Math.min(storage.discharge_w, ((idle - storage.min_wh) * outShare) / h));
    const least = storage.charge_min_w ?? 0;
    const paid = now.paidBy?.(peak) ?? 0;
    const flow: Flow = { cost: 0, grid_w: 0 };
    let [best, bestCost] = [0, Number.POSITIVE_INFINITY];
    const consider = (wanted: number): void => {
      let power = Math.min(mostIn, Math.max(-mostOut, wanted));
      if (power > 0 && power < least && power < mostIn - 1e-6) power = least > mostIn ? 0 : least;
      if (power > 0 && power < least && mostIn < least && idle + power * h * inShare < storage.max_wh - 1) power = 0;
      const next = power > 0 ? idle + power * h * inShare : idle + (power * h) / outShare;
      let total = 0;
      for (const { load, solar, chance } of now.cases) {
        flowOf(this.#house, now, load, solar, power, flow);
        const kw = Math.max(0, flow.grid_w) / 1000;
        let { cost } = flow;
        if (now.feeOf) cost += Math.max(0, now.feeOf(kw) - paid);
        if (next < now.goal_wh) cost += (now.goal_wh - next) * 0.2;
        total += chance * (cost + after.at(next, Math.max(peak, moment.windowPeak(kw))));
      }
      // A tie is decided by the smaller power, so that rounding does not move anything.
      if (total < bestCost - 1e-9 || (total < bestCost + 1e-9 && Math.abs(power) < Math.abs(best))) {
        bestCost = Math.min(total, bestCost);
        best = power;
      }
    };
    consider(0);
    for (const { load, solar } of now.cases) {
      consider(solar - load);
      if (now.weight > 0) consider((peak * 1000) / now.weight - (load - solar));
    }
    consider(mostIn);
    consider(-mostOut);
    for (let n = 0; n <= fineLevels; n++) consider(-mostOut + ((mostIn + mostOut) * n) / fineLevels);
    return Math.abs(best) < 1e-6 ? 0 : best;
  }

  /** Follows the decisions through the stages as expected. Returns the powers and the import in W. */
  path(level: number, peak: number): { powers: number[]; imports: number[] } {
    const { storage } = this.#house;
    const [powers, imports]: [number[], number[]] = [[], []];
    const flow: Flow = { cost: 0, grid_w: 0 };
    for (const [t, stage] of this.#stages.entries()) {
      const load = stage.cases.reduce((sum, each) => sum + each.load * each.chance, 0);
      const solar = stage.cases.reduce((sum, each) => sum + each.solar * each.chance, 0);
      const expected = { ...stage, cases: [{ load, solar, chance: 1 }] };
      const windowPeak = (kw: number): number => kw * stage.weight;
      const power = this.decide(t, { stage: expected, level, peak, windowPeak });
      flowOf(this.#house, stage, load, solar, power, flow);
      powers.push(power);
      imports.push(Math.max(0, flow.grid_w));
      level = nextLevel(storage, stage, level, power);
      peak = stage.endOfDay ? 0 : Math.max(peak, windowPeak(Math.max(0, flow.grid_w) / 1000));
    }
    return { powers, imports };
  }
}

/** Returns the level at the end of a step. */
function nextLevel(storage: PlanStorage, { hours, use_wh }: Stage, level: number, power: number): number {
  const idle = level * keptAfter(storage, hours) - use_wh;
  return power > 0
    ? idle + power * hours * storage.charge_efficiency
    : idle + (power * hours) / storage.discharge_efficiency;
}
