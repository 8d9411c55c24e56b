import type { Ohmstead } from '#contract/client/connect.ts';
import { getDerTelemetry, getSiteTelemetry, type Resolution } from '#contract/cloud/telemetry.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { dayMs, formatTime, hourMs } from '#contract/time.ts';

export type Row = { timestamp: number; [column: string]: number };

export type HistoryQuery = TimeRange & { resolution?: Resolution | undefined; fields?: string | undefined };

/** Reads a time range; without a resolution the platform chooses one that returns about a thousand rows. */
export type HistoryReader = (
  asked: HistoryQuery,
  signal: AbortSignal,
) => Promise<{ resolution: Resolution; rows: Row[] }>;

const queryOf = ({ from, to, resolution, fields }: HistoryQuery) => ({
  from: formatTime(from),
  to: formatTime(to),
  ...(resolution && { resolution }),
  ...(fields !== undefined && { fields }),
});

export const createDerReader =
  (api: Ohmstead, der_id: string): HistoryReader =>
  async (asked, signal) => {
    const { resolution, points } = await api.call(getDerTelemetry, {
      params: { der_id },
      query: queryOf(asked),
      signal,
    });
    return { resolution, rows: points };
  };

/** Reads the history of a site: one row for each time, one column for each kind. */
export const createSiteReader =
  (api: Ohmstead, site_id: string): HistoryReader =>
  async (asked, signal) => {
    const { resolution, series } = await api.call(getSiteTelemetry, {
      params: { site_id },
      query: queryOf(asked),
      signal,
    });
    const rows = new Map<number, Row>();
    for (const { kind, points } of series) {
      for (const { timestamp, W } of points) {
        const row = rows.get(timestamp) ?? { timestamp };
        if (W !== undefined) row[`${kind}_W`] = W;
        rows.set(timestamp, row);
      }
    }
    return { resolution, rows: [...rows.values()].sort((a, b) => a.timestamp - b.timestamp) };
  };

const indexOf = new Map(telemetryFields.map(({ name, index }) => [name, index]));

/** Returns the columns of these rows in the documented order of fields; raw readings have no minimum and maximum. */
export function columnsOf(rows: readonly Row[], isRaw: boolean): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  names.delete('timestamp');
  const fieldOf = (column: string): string => {
    const field = column.replace(/_(min|max)$/, '');
    return names.has(field) ? field : column;
  };
  const rank = (column: string): number => indexOf.get(fieldOf(column)) ?? indexOf.size;
  return [...names]
    .filter((column) => !isRaw || fieldOf(column) === column)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** The length of a request, for a few thousand rows; a multiple of the bucket, so that none is split. */
const sliceMs: Record<Resolution, number> = {
  raw: hourMs,
  '1m': 2 * dayMs,
  '5m': 7 * dayMs,
  '15m': 28 * dayMs,
  '1h': 112 * dayMs,
  '1d': 3650 * dayMs,
};

export type TimeRange = { from: number; to: number };

export function* slicesOf({ from, to }: TimeRange, resolution: Resolution): Generator<TimeRange> {
  const width = sliceMs[resolution];
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / width) + 1) * width);
    yield { from: start, to: end };
    start = end;
  }
}
