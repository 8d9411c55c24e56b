import { getSiteTelemetry, type Resolution } from '#contract/cloud/telemetry.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { api } from '../session.ts';
import { type Buckets, bucketsOf, type TimeRange } from './buckets.ts';
import { refreshMs, resolutionFor } from './resolution.ts';

export type SiteMeasurements = { buckets: Buckets; resolution: Resolution; span: TimeRange; loadedAt: number };

type HistoryRequest = { siteId: string; timeZone: string | undefined; span: TimeRange; nowMs: number };

/** Loads a site's telemetry of a range, and reloads it while the range has not ended. */
export function useSiteHistory({ siteId, timeZone, span, nowMs }: HistoryRequest): Load<SiteMeasurements> {
  const { from, to } = span;
  const resolution = resolutionFor(to - from);
  const turn = to > nowMs ? Math.floor(nowMs / refreshMs(resolution)) : 0;
  return useLoad(
    async (signal) => {
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), resolution };
      const history = await api().call(getSiteTelemetry, { params: { site_id: siteId }, query, signal });
      return { buckets: bucketsOf(history, timeZone), resolution: history.resolution, span, loadedAt: nowMs };
    },
    [siteId, from, to],
    turn,
  );
}
