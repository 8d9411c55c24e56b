import type { Ohmstead } from '#contract/client/connect.ts';
import { getDerTelemetry, getSiteTelemetry, type Resolution } from '#contract/cloud/telemetry.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import type { Slice } from './slices.ts';

export type Row = { timestamp: number; [column: string]: number };

export type Asked = Slice & { resolution?: Resolution | undefined; fields?: string | undefined };

/** Asks for a piece of history; without a resolution the platform chooses one that makes about a thousand rows. */
export type History = (asked: Asked, signal: AbortSignal) => Promise<{ resolution: Resolution; rows: Row[] }>;

const queryOf = ({ from, to, resolution, fields }: Asked) => ({
  from: formatTime(from),
  to: formatTime(to),
  ...(resolution && { resolution }),
  ...(fields !== undefined && { fields }),
});

export const historyOfDer =
  (api: Ohmstead, der_id: string): History =>
  async (asked, signal) => {
    const { resolution, points } = await api.call(getDerTelemetry, {
      params: { der_id },
      query: queryOf(asked),
      signal,
    });
    return { resolution, rows: points };
  };

/** One row a time, one column a kind. */
export const historyOfSite =
  (api: Ohmstead, site_id: string): History =>
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

const placeOf = new Map(telemetryFields.map(({ name, index }) => [name, index]));

/** The columns of these rows in the published order of fields; readings have no least and greatest value. */
export function columnsOf(rows: readonly Row[], isRaw: boolean): string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  names.delete('timestamp');
  const fieldOf = (column: string): string => {
    const field = column.replace(/_(min|max)$/, '');
    return names.has(field) ? field : column;
  };
  const rank = (column: string): number => placeOf.get(fieldOf(column)) ?? placeOf.size;
  return [...names]
    .filter((column) => !isRaw || fieldOf(column) === column)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
