import { getSiteTelemetry, type Resolution } from '#contract/cloud/telemetry.ts';
import { type Load, useLoad } from '../../parts/load.tsx';
import { api } from '../session.ts';
import { type Buckets, bucketsOf, type TimeRange } from './buckets.ts';
import { isoRange } from './range.ts';
import { refreshMs, resolutionFor } from './resolution.ts';

export type SiteMeasurements = { buckets: Buckets; resolution: Resolution; span: TimeRange; loadedAt: number };

type HistoryRequest = { siteId: string; timeZone: string | undefined; span: TimeRange; nowMs: number };

export function useSiteHistory({ siteId, timeZone, span, nowMs }: HistoryRequest): Load<SiteMeasurements> {
  return useTelemetry(span, nowMs, resolutionFor(span.to - span.from), siteId, async (asked) => {
    const history = await api().call(getSiteTelemetry, { params: { site_id: siteId }, ...asked });
    return { buckets: bucketsOf(history, timeZone), resolution: history.resolution, span, loadedAt: nowMs };
  });
}

type TelemetryRequest = { query: { from: string; to: string; resolution: Resolution }; signal: AbortSignal };

/** Loads telemetry of a site or DER in a range, and reloads it while the range has not ended. */
export function useTelemetry<T>(
  { from, to }: TimeRange,
  nowMs: number,
  resolution: Resolution,
  id: string,
  load: (asked: TelemetryRequest) => Promise<T>,
): Load<T> {
  const turn = to > nowMs ? Math.floor(nowMs / refreshMs(resolution)) : 0;
  const query = { ...isoRange({ from, to }), resolution };
  return useLoad((signal) => load({ query, signal }), [id, from, to], turn);
}
