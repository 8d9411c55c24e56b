import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';

/** Formats a reading in InfluxDB's line protocol, its time in ms: the measurement is `meter`, the DER a tag. */
export function lineOf({ der, at, body }: Omit<Sample, 'received' | 'der'> & { der: number | string }): string {
  const fields = body
    .slice(body.indexOf(',') + 1, -1)
    .replaceAll('"', '')
    .replaceAll(':', '='); // the time comes first
  return `meter,der=${der} ${fields} ${at}\n`;
}
