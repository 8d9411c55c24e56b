import type { PeakFee } from '#contract/plan.ts';
import { feeOf } from '../peaks.ts';

const scenarioCount = 64;
const maxDays = 31;
// By scenario, the peaks of the days that are left as a share of those that are drawn: the whole rest of a month may be milder than the weeks
// before, and days that make the peaks that were expected would not notice.
const shares = [0.7, 0.85, 1, 1];

/** By scenario and day, which of the peaks of recent days is drawn: the same ones each time, and each day has all parts of the range. */
const ranks = ((): number[][] => {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  const drawn = Array.from({ length: scenarioCount }, () => new Array<number>(maxDays).fill(0));
  for (let day = 0; day < maxDays; day++) {
    const order = drawn.map((_, n) => [n, random()] as const).toSorted((a, b) => a[1] - b[1]);
    for (const [rank, [n]] of order.entries()) drawn[n]![day] = rank;
  }
  return drawn;
})();

/**
 * The expected fee of a month, from its peaks so far and what the days that are left may add: samples of peaks that days of the
 * recent past could have been kept at. So a peak costs little if the month will probably exceed it anyway.
 */
export class PeakOutlook {
  readonly #fee: PeakFee;
  /** by number of days left: the highest peaks of each scenario, highest first */
  readonly #highest: number[][][] = [ranks.map(() => [])];
  readonly #isSingle: boolean;

  /**
   * @param days attainable peaks in kW of the days that are left and count, each list sorted; the last day first
   * @param atLeast a peak in kW that every day uses
   */
  constructor(fee: PeakFee, days: readonly (readonly number[])[], atLeast = 0) {
    this.#fee = fee;
    this.#isSingle = fee.count === 1;
    const values = new Map<readonly number[], number[]>();
    for (const [n, attainable] of days.slice(0, maxDays).entries()) {
      const drawn =
        values.get(attainable) ??
        Array.from({ length: scenarioCount }, (_, rank) => valueAt(attainable, (rank + 0.5) / scenarioCount));
      values.set(attainable, drawn);
      this.#highest.push(
        this.#highest[n]!.map((highest, scenario) =>
          insert(
            highest,
            Math.max(atLeast, shares[scenario % shares.length]! * drawn[ranks[scenario]![n]!]!),
            fee.count,
          ),
        ),
      );
    }
  }

  /** Returns the expected fee when so many days are left that count, after those of the peaks. */
  expected(peaks: readonly number[], daysLeft: number): number {
    const own = peaks.toSorted((a, b) => b - a).slice(0, this.#fee.count);
    const scenarios = daysLeft === 0 ? [[]] : this.#highest[Math.min(daysLeft, this.#highest.length - 1)]!;
    let sum = 0;
    for (const highest of scenarios) sum += feeOf(this.#fee, this.#mean(own, highest));
    return sum / scenarios.length;
  }

  /** Returns the mean of the highest of two sorted lists. */
  #mean(a: readonly number[], b: readonly number[]): number {
    if (this.#isSingle) return Math.max(a[0] ?? 0, b[0] ?? 0);
    const count = Math.min(this.#fee.count, a.length + b.length);
    let [i, j, sum] = [0, 0, 0];
    for (let n = 0; n < count; n++) sum += (a[i] ?? -1) >= (b[j] ?? -1) ? a[i++]! : b[j++]!;
    return count === 0 ? 0 : sum / count;
  }
}

function insert(sorted: readonly number[], value: number, most: number): number[] {
  if (sorted.length >= most && value <= sorted.at(-1)!) return sorted as number[];
  return [...sorted, value].toSorted((a, b) => b - a).slice(0, most);
}

function valueAt(sorted: readonly number[], share: number): number {
  if (sorted.length === 0) return 0;
  const at = Math.min(sorted.length - 1, Math.max(0, share * sorted.length - 0.5));
  const low = Math.floor(at);
  return sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!);
}

/** Powers of the storages that can keep the import low, all together. */
export type Shaver = {
  energyWh: number;
  chargeW: number;
  dischargeW: number;
  efficiency: number;
  wearPerKwh: number;
};

/** The need of the house in a window, and the share with which its import counts. */
export type NeedOfWindow = { net_w: number; weight: number };

/** Returns the lowest weighted import in kW that a day can be kept at, from full storages at its start. */
export function attainablePeak(windows: readonly NeedOfWindow[], windowHours: number, shaver: Shaver): number {
  let [low, high] = [0, highestPeak(windows)];
  for (let n = 0; n < 12; n++) {
    const limit = (low + high) / 2;
    if (canKeep(windows, windowHours, shaver, limit)) high = limit;
    else low = limit;
  }
  return high;
}

/** Returns the highest weighted import in kW of a day without storages. */
export const highestPeak = (windows: readonly NeedOfWindow[]): number =>
  windows.reduce((most, { net_w, weight }) => Math.max(most, (net_w * weight) / 1000), 0);

function canKeep(windows: readonly NeedOfWindow[], h: number, shaver: Shaver, limitKw: number): boolean {
  let stored = shaver.energyWh;
  for (const { net_w, weight } of windows) {
    const over = weight === 0 ? Number.NEGATIVE_INFINITY : net_w - (limitKw * 1000) / weight;
    if (over > shaver.dischargeW) return false;
    if (over > 0) stored -= over * h;
    else stored = Math.min(shaver.energyWh, stored + Math.min(-over, shaver.chargeW) * h * shaver.efficiency);
    if (stored < 0) return false;
  }
  return true;
}
