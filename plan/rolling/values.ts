import type { PlanStorage } from '#contract/plan.ts';
import { keptAfter } from '../schedule.ts';

/** A possible need and sun of a step, with its chance. */
export type Case = { load: number; solar: number; chance: number };

/** A step as it is expected. */
export type Stage = {
  hours: number;
  importPrice: number;
  exportPrice: number;
  cases: readonly Case[];
  isPresent: boolean;
  use_wh: number;
  goal_wh: number;
  must_w: number;
  /** share with which the import counts for the peak of the day; 0 if it does not */
  weight: number;
  /** what an import in kW adds to the other power charges, whose values are not by the peak of the day */
  feeOf?: ((kw: number) => number) | undefined;
  /** the part of it that a peak of the day so far has added already */
  paidBy?: ((peak: number) => number) | undefined;
  /** value of the peak of the day at the end of the step, if that ends the day */
  endOfDay?: ((kw: number) => number) | undefined;
};

export type House = {
  storage: PlanStorage;
  isCurtailable: boolean;
  importLimit_w: number;
  exportLimit_w: number;
  overPrice: number;
};

const brokenPrice = 200; // per kWh: rules before costs
const forbiddenPrice = 100 * brokenPrice; // no goal allows it

export type Flow = { cost: number; grid_w: number };

/** Returns what a power of the storage costs for the length of a step, without power charges; charging is positive. */
export function flowOf(house: House, stage: Stage, load: number, solar: number, power: number, flow: Flow): Flow {
  const { storage } = house;
  const wanted = load + power;
  let used = solar;
  if (house.isCurtailable) {
    if (stage.importPrice < 0) used = 0;
    else if (stage.exportPrice < 0) used = Math.max(0, Math.min(solar, wanted));
    else used = Math.max(0, Math.min(solar, wanted + house.exportLimit_w));
  }
  const grid = wanted - used;
  let cost = grid > 0 ? grid * stage.importPrice : grid * stage.exportPrice;
  if (power < 0) cost -= power * (storage.wear_per_kwh ?? 0);
  const over = grid - house.importLimit_w;
  if (over > 0) cost += over * house.overPrice;
  if (-grid > house.exportLimit_w) cost += (-grid - house.exportLimit_w) * brokenPrice;
  if (storage.from_grid === false && power > 0) cost += Math.min(power, Math.max(0, grid)) * forbiddenPrice;
  if (storage.to_grid === false && power < 0) cost += Math.min(-power, Math.max(0, -grid)) * forbiddenPrice;
  if (stage.must_w > 0 && power < stage.must_w) cost += (stage.must_w - power) * brokenPrice * 0.01;
  flow.cost = (cost * stage.hours) / 1000;
  flow.grid_w = grid;
  return flow;
}

export type ValueGrid = {
  levels: number;
  peaks: number;
  low_wh: number;
  step_wh: number;
  /** lowest peak, and distance of two peaks, kW; lower peaks cost as much as the lowest */
  lowPeak: number;
  peakStep: number;
  /** cost of a kW above the highest peak of the grid */
  beyond: number;
};

/** The expected cost from a step on, by level of the storage and peak of the day so far. */
export class Values {
  readonly grid: ValueGrid;
  readonly table: Float64Array;

  constructor(grid: ValueGrid, table = new Float64Array(grid.levels * grid.peaks)) {
    this.grid = grid;
    this.table = table;
  }

  at(level: number, peak: number): number {
    const { levels, peaks, low_wh, step_wh, lowPeak, peakStep, beyond } = this.grid;
    const x = step_wh > 0 ? Math.min(levels - 1, Math.max(0, (level - low_wh) / step_wh)) : 0;
    const y = peaks > 1 ? Math.min(peaks - 1, Math.max(0, (peak - lowPeak) / peakStep)) : 0;
    const [i, j] = [Math.min(levels - 2, Math.floor(x)), Math.min(Math.max(0, peaks - 2), Math.floor(y))];
    const [a, b] = [x - i, y - j];
    const row = i * peaks + j;
    const next = peaks > 1 ? 1 : 0;
    const low = this.table[row]! * (1 - b) + this.table[row + next]! * b;
    const high = this.table[row + peaks]! * (1 - b) + this.table[row + peaks + next]! * b;
    const extra = peaks > 1 ? Math.max(0, peak - lowPeak - (peaks - 1) * peakStep) * beyond : 0;
    return low * (1 - a) + high * a + extra;
  }
}

/** Returns the expected values at the start of a step from those at its end. */
export function stepBack(house: House, stage: Stage, after: Values): Values {
  const { levels, peaks, low_wh, step_wh, lowPeak, peakStep } = after.grid;
  const { storage } = house;
  const before = new Values(after.grid);
  const kept = keptAfter(storage, stage.hours);
  const choice = new Choice(house, stage, after);
  const least = storage.charge_min_w ?? 0;
  const [mostIn, mostOut] = stage.isPresent ? [storage.charge_w, storage.discharge_w] : [0, 0];
  const { charge_efficiency: inShare, discharge_efficiency: outShare } = storage;
  const h = stage.hours;
  const top = low_wh + (levels - 1) * step_wh;

  for (let i = 0; i < levels; i++) {
    const idle = (low_wh + i * step_wh) * kept - stage.use_wh;
    const lowest = Math.max(0, Math.ceil((idle - (mostOut * h) / outShare - low_wh) / step_wh - 1e-9));
    const highest = Math.min(levels - 1, Math.floor((idle + mostIn * h * inShare - low_wh) / step_wh + 1e-9));
    for (const { load, solar, chance } of stage.cases) {
      choice.begin(load, solar);
      choice.considerBetween(idle, 0);
      if (stage.isPresent) {
        const need = load - solar;
        if (need > 0 && mostOut > 0) {
          const power = Math.min(need, mostOut, ((idle - storage.min_wh) * outShare) / h);
          if (power > 0) choice.considerBetween(idle - (power * h) / outShare, -power);
        } else if (need < 0 && mostIn > 0) {
          const power = Math.min(-need, mostIn, (top - idle) / inShare / h);
          if (power > 0 && power >= least) choice.considerBetween(idle + power * h * inShare, power);
        }
        for (let j = lowest; j <= highest; j++) {
          const change = low_wh + j * step_wh - idle;
          const power = change > 0 ? change / inShare / h : (change * outShare) / h;
          if (power > 0 && power < least && j < levels - 1) continue;
          choice.consider(low_wh + j * step_wh, power, after.table, j * peaks);
        }
        if (peaks > 1 && stage.weight > 0)
          for (let p = 0; p < peaks; p++) {
            // The power at which the import equals a peak so far.
            const power = ((lowPeak + p * peakStep) * 1000) / stage.weight - need;
            const level = power > 0 ? idle + power * h * inShare : idle + (power * h) / outShare;
            if (power > mostIn || power < -mostOut || level > top || level < low_wh) continue;
            if (power > 0 && power < least) continue;
            choice.considerAt(p, level, power);
          }
      }
      for (let p = 0; p < peaks; p++) before.table[i * peaks + p]! += chance * choice.best[p]!;
    }
  }
  return before;
}

/** The cheapest of the powers that a step may have, for each peak of the day so far. */
class Choice {
  readonly best: Float64Array;
  readonly #house: House;
  readonly #stage: Stage;
  readonly #after: Values;
  readonly #between: Float64Array;
  /** by peak of the day so far, what it has added to the other power charges already */
  readonly #paid: Float64Array;
  readonly #flow: Flow = { cost: 0, grid_w: 0 };
  #load = 0;
  #solar = 0;

  constructor(house: House, stage: Stage, after: Values) {
    this.#house = house;
    this.#stage = stage;
    this.#after = after;
    this.best = new Float64Array(after.grid.peaks);
    this.#between = new Float64Array(after.grid.peaks);
    const { peaks, lowPeak, peakStep } = after.grid;
    this.#paid = Float64Array.from({ length: peaks }, (_, p) => stage.paidBy?.(lowPeak + p * peakStep) ?? 0);
  }

  begin(load: number, solar: number): void {
    this.#load = load;
    this.#solar = solar;
    this.best.fill(Number.POSITIVE_INFINITY);
  }

  /** Considers a power that leads to a level between two of the grid. */
  considerBetween(level: number, power: number): void {
    const { levels, peaks, low_wh, step_wh } = this.#after.grid;
    const { table } = this.#after;
    const x = Math.min(levels - 1, Math.max(0, (level - low_wh) / step_wh));
    const i = Math.min(levels - 2, Math.floor(x));
    const share = x - i;
    const row = i * peaks;
    for (let p = 0; p < peaks; p++) this.#between[p] = table[row + p]! * (1 - share) + table[row + peaks + p]! * share;
    this.consider(level, power, this.#between, 0);
  }

  /** Considers a power that imports as much as one peak so far. */
  considerAt(peak: number, level: number, power: number): void {
    const { levels, peaks, low_wh, step_wh } = this.#after.grid;
    const { table } = this.#after;
    const x = Math.min(levels - 1, Math.max(0, (level - low_wh) / step_wh));
    const i = Math.min(levels - 2, Math.floor(x));
    const at = i * peaks + peak;
    const after = table[at]! + (x - i) * (table[at + peaks]! - table[at]!);
    const { cost, grid_w } = flowOf(this.#house, this.#stage, this.#load, this.#solar, power, this.#flow);
    const total = cost + this.#missed(level) + this.#unpaid(this.#feeOf(grid_w), peak) + after;
    if (total < this.best[peak]!) this.best[peak] = total;
  }

  /** Returns what a level costs that breaks rules. */
  #missed(level: number): number {
    const missing = Math.max(0, this.#house.storage.min_wh - level) + Math.max(0, this.#stage.goal_wh - level);
    return (missing / 1000) * brokenPrice;
  }

  #feeOf(grid_w: number): number {
    const { feeOf } = this.#stage;
    return feeOf && grid_w > 0 ? feeOf(grid_w / 1000) : 0;
  }

  /** Returns the part of a fee that a peak of the day so far has not added already. */
  #unpaid(fee: number, peak: number): number {
    return fee > this.#paid[peak]! ? fee - this.#paid[peak]! : 0;
  }

  /** Considers a power that leads to a level with these values by peak. */
  consider(level: number, power: number, row: Float64Array, offset: number): void {
    const { peaks, lowPeak, peakStep, beyond } = this.#after.grid;
    const stage = this.#stage;
    const flow = flowOf(this.#house, stage, this.#load, this.#solar, power, this.#flow);
    const fee = this.#feeOf(flow.grid_w);
    const missed = this.#missed(level);
    const { best } = this;
    if (peaks === 1) {
      best[0] = Math.min(best[0]!, flow.cost + fee + missed + row[offset]!);
      return;
    }
    const cost = flow.cost + missed;
    const y = flow.grid_w <= 0 ? 0 : Math.max(0, ((flow.grid_w / 1000) * stage.weight - lowPeak) / peakStep);
    const first = Math.min(peaks, Math.ceil(y));
    if (first > 0) {
      // Peaks so far that this import exceeds.
      const j = Math.min(peaks - 2, Math.floor(y));
      const share = Math.min(1, y - j);
      const extra = Math.max(0, y - peaks + 1) * peakStep * beyond;
      const raised = cost + row[offset + j]! * (1 - share) + row[offset + j + 1]! * share + extra;
      for (let p = 0; p < first; p++) {
        const value = raised + this.#unpaid(fee, p);
        if (value < best[p]!) best[p] = value;
      }
    }
    for (let p = first; p < peaks; p++) {
      const value = cost + this.#unpaid(fee, p) + row[offset + p]!;
      if (value < best[p]!) best[p] = value;
    }
  }
}

/** Returns values at the end of a day: the next day begins without a peak. */
export function closeDay(next: Values, endOfDay: (kw: number) => number): Values {
  const { levels, peaks, lowPeak, peakStep } = next.grid;
  const closed = new Values(next.grid);
  for (let p = 0; p < peaks; p++) {
    const value = endOfDay(lowPeak + p * peakStep);
    for (let i = 0; i < levels; i++) closed.table[i * peaks + p] = next.table[i * peaks]! + value;
  }
  return closed;
}
