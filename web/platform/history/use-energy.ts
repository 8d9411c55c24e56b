import { type EnergyTotal, getSiteEnergy, type SiteEnergy } from '#contract/cloud/energy.ts';
import { minuteMs } from '#contract/time.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { api } from '../session.ts';
import type { TimeRange } from './buckets.ts';
import { type Comparison, comparedRange, comparisonsOf, isoRange, onlyFor, type Range } from './range.ts';
import { energyResolutionFor } from './resolution.ts';
import { isMeasured } from './site-series.ts';

export type LoadedEnergy = { span: TimeRange; energy: SiteEnergy };

/** Loads the energy of a range, and again every minute while the range has not ended. */
export const useSiteEnergy = (siteId: string, { from, to }: TimeRange, nowMs: number): Load<LoadedEnergy> =>
  useLoad(
    async (signal) => {
      const query = { ...isoRange({ from, to }), resolution: energyResolutionFor(to - from) };
      const energy = await api().call(getSiteEnergy, { params: { site_id: siteId }, query, signal });
      return { span: { from, to }, energy };
    },
    [siteId, from, to],
    to > nowMs ? nowMs : 0,
  );

/** Another range to compare with, and its energy, unless nothing was measured then. */
export type Compared = TimeRange & { comparison: Comparison; total?: EnergyTotal };

/** Loads the energy of the ranges that a range is compared with. */
export function useCompared(
  siteId: string,
  range: Range,
  nowMs: number,
  timeZone: string | undefined,
): Load<{ span: TimeRange; compared: Compared[] }> {
  const others = comparisonsOf(range)
    .map((comparison) => ({ comparison, ...comparedRange(range, comparison, nowMs, timeZone) }))
    .filter(({ from, to }) => from < to);
  const { from, to } = range;
  const loaded = useLoad(
    async (signal) => {
      const load = async (other: Compared): Promise<Compared> => {
        const query = { ...isoRange(other), resolution: '1y' as const };
        const { total } = await api().call(getSiteEnergy, { params: { site_id: siteId }, query, signal });
        return isMeasured(total) ? { ...other, total } : other;
      };
      return { span: { from, to }, compared: await Promise.all(others.map(load)) };
    },
    [siteId, from, to],
    others.map((other) => other.to).join(), // the part that has passed grows by quarters of an hour
  );
  return onlyFor(loaded, range);
}

const patienceMs = 300;

/** Waits before an expensive request, which is never sent when somebody only steps past its range. */
export async function unlessPassedBy(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs));
  signal.throwIfAborted();
}

/** Counts the times at which costs and devices of a range that has not ended are loaded again. */
export const slowTurn = ({ to }: TimeRange, nowMs: number): number =>
  to > nowMs ? Math.floor(nowMs / (5 * minuteMs)) : 0;
