import { quarterMs } from '#contract/cloud/energy.ts';
import type { PeakFee } from '#contract/plan.ts';
import type { PowerCharge } from '#contract/price/marginal.ts';
import { hourMs } from '#contract/time.ts';
import { dateAt, offsetAt } from '#contract/time-zone.ts';
import type { GridFlow } from '../bill/quarters.ts';

/** The steps of a plan: their starts and the end of the last one. */
export type PlanEdges = readonly number[];

type Past = { timeZone: string; imported: Pick<GridFlow, 'from' | 'imported'> };

/** Converts the power charges of a household to what the planner considers, with the peaks of the month so far. */
export function peakFeesOf(charges: readonly PowerCharge[], edges: PlanEdges, past: Past): PeakFee[] {
  return charges.map((charge): PeakFee => {
    const weightAt = createWeights(charge);
    const weights = edges.slice(0, -1).map(weightAt);
    const { window_s, count, one_per_day, price_per_kw, tiers } = charge;
    return {
      period: 'month',
      window_s,
      count,
      one_per_day,
      counted: weights.map((weight) => weight > 0),
      weight: weights,
      peaks_so_far: peaksSoFar(charge, weightAt, past),
      ...(price_per_kw !== undefined && { price_per_kw }),
      ...(tiers && { tiers }),
    };
  });
}

/** Returns a function that finds the weight of an instant. */
function createWeights({ counted }: PowerCharge): (ms: number) => number {
  const spans = counted.map(({ start, end, weight }) => ({ start: Date.parse(start), end: Date.parse(end), weight }));
  return (ms) => spans.find(({ start, end }) => start <= ms && ms < end)?.weight ?? 0;
}

type SoFar = NonNullable<PeakFee['peaks_so_far']>;

/** Returns the peaks of the quarters so far that can count: the highest ones, and that of the last day. */
function peaksSoFar(
  { window_s, count, one_per_day }: PowerCharge,
  weightAt: (ms: number) => number,
  { timeZone, imported: { from, imported } }: Past,
): SoFar {
  const windowMs = window_s * 1000;
  const peaks: { day: string; kw: number }[] = [];
  let window = { index: Number.NaN, wh: 0, start: 0, quarters: 0 };
  const close = (): void => {
    const isWhole = window.quarters * quarterMs === windowMs; // the plan continues the running one
    const kw = (window.wh / 1000 / (windowMs / hourMs)) * (isWhole ? weightAt(window.start) : 0);
    if (kw > 0) peaks.push({ day: dateAt(timeZone, window.start), kw });
  };
  for (let i = 0; i < imported.length; i++) {
    const at = from + i * quarterMs;
    const index = Math.floor((at + offsetAt(timeZone, at)) / windowMs);
    if (index !== window.index || window.quarters * quarterMs === windowMs) {
      close();
      window = { index, wh: 0, start: at, quarters: 0 };
    }
    window.wh += imported[i]!;
    window.quarters++;
  }
  close();
  const days = new Map<string, { day: string; kw: number }>();
  for (const [n, peak] of peaks.entries()) {
    const key = one_per_day ? peak.day : String(n);
    if ((days.get(key)?.kw ?? 0) < peak.kw) days.set(key, peak);
  }
  const highest = [...days.values()].sort((a, b) => b.kw - a.kw);
  const lastDay = dateAt(timeZone, from + imported.length * quarterMs);
  return highest.filter(({ day }, n) => n < count || (one_per_day && day === lastDay));
}
