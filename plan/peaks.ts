import type { PeakFee, PlanProblem } from '#contract/plan.ts';
import { dateAt, offsetAt } from '#contract/time-zone.ts';

/** A window of a peak fee. Its peak in kW is the sum of the share of each step times the import of that step. */
export type PeakWindow = { day: string; shares: [step: number, share: number][] };

/** A billing period of a peak fee. */
export type PeakPeriod = {
  fee: PeakFee;
  windows: PeakWindow[];
  /** peaks before the first step, kW; by day if a day counts once */
  earlier: ReadonlyMap<string, number>;
  /** number of peaks whose mean is charged */
  count: number;
  /** what is due without the plan */
  due: number;
};

/** Returns the billing periods that the steps of a problem touch. */
export function peakPeriods(problem: PlanProblem): PeakPeriod[] {
  return (problem.peak_fees ?? []).flatMap((fee) => periodsOf(fee, problem));
}

function periodsOf(fee: PeakFee, { start, steps_s, timezone }: PlanProblem): PeakPeriod[] {
  const windowMs = fee.window_s * 1000;
  const windows = new Map<string, { day: string; seconds: Map<number, number> }>();
  let at = Date.parse(start);
  for (const [step, length] of steps_s.entries()) {
    const end = at + length * 1000;
    while (at < end) {
      const offset = offsetAt(timezone, at);
      const index = Math.floor((at + offset) / windowMs);
      const until = Math.min(end, (index + 1) * windowMs - offset);
      if (fee.counted?.[step] !== false) {
        const key = `${index} ${offset}`; // an hour that occurs twice is two windows
        const window = windows.get(key) ?? { day: dateAt(timezone, at), seconds: new Map<number, number>() };
        windows.set(key, window);
        window.seconds.set(step, (window.seconds.get(step) ?? 0) + (until - at) / 1000);
      }
      at = until;
    }
  }
  const months = Map.groupBy(windows.values(), ({ day }) => monthOf(day));
  return [...months].map(([month, found]) => {
    const earlier = earlierPeaks(fee, month);
    const days = new Set([...earlier.keys(), ...found.map(({ day }) => day)]);
    const known = fee.one_per_day ? days.size : earlier.size + found.length;
    return {
      fee,
      windows: found.map((window) => toWindow(window, fee.weight)),
      earlier,
      count: Math.min(fee.count, known),
      due: feeOf(fee, meanOfHighest([...earlier.values()], fee.count)),
    };
  });
}

const monthOf = (day: string): string => day.slice(0, 7);

function toWindow({ day, seconds }: { day: string; seconds: Map<number, number> }, weight?: number[]): PeakWindow {
  const covered = [...seconds.values()].reduce((sum, each) => sum + each, 0);
  return { day, shares: [...seconds].map(([step, some]) => [step, ((weight?.[step] ?? 1) * some) / covered]) };
}

function earlierPeaks({ peaks_so_far = [], one_per_day }: PeakFee, month: string): Map<string, number> {
  const peaks = new Map<string, number>();
  for (const [n, { day, kw }] of peaks_so_far.entries()) {
    if (monthOf(day) !== month) continue;
    const key = one_per_day ? day : `${day} ${n}`;
    peaks.set(key, Math.max(peaks.get(key) ?? 0, kw));
  }
  return peaks;
}

const meanOfHighest = (peaks: readonly number[], count: number): number => {
  const highest = peaks.toSorted((a, b) => b - a).slice(0, count);
  return highest.length === 0 ? 0 : highest.reduce((sum, kw) => sum + kw, 0) / highest.length;
};

const roundingKw = 1e-6; // of a mean that a rule keeps exactly at the end of a tier

/** Returns the fee for the mean of the highest peaks; above the last tier, its fee holds. */
export function feeOf({ price_per_kw = 0, tiers }: PeakFee, meanKw: number): number {
  if (!tiers) return price_per_kw * meanKw;
  return (tiers.find(({ up_to_kw }) => meanKw <= up_to_kw + roundingKw) ?? tiers.at(-1)!).fee;
}

/** Returns the import of a window in kW, with its weight. */
export const peakOf = ({ shares }: PeakWindow, importKw: ArrayLike<number>): number =>
  shares.reduce((sum, [step, share]) => sum + share * importKw[step]!, 0);

/** Returns the peaks of a period that the fee is charged for, highest first. */
export function chargedPeaks({ fee, windows, earlier, count }: PeakPeriod, importKw: ArrayLike<number>): number[] {
  const peaks = new Map(earlier);
  for (const [n, window] of windows.entries()) {
    const key = fee.one_per_day ? window.day : `window ${n}`;
    peaks.set(key, Math.max(peaks.get(key) ?? 0, peakOf(window, importKw)));
  }
  return [...peaks.values()].toSorted((a, b) => b - a).slice(0, count);
}

/** Returns the fee of a period. */
export const periodFee = (period: PeakPeriod, importKw: ArrayLike<number>): number =>
  feeOf(period.fee, meanOfHighest(chargedPeaks(period, importKw), period.count));

/** Returns the fee of a period, minus what is due without the plan. */
export const addedFee = (period: PeakPeriod, importKw: ArrayLike<number>): number =>
  periodFee(period, importKw) - period.due;
