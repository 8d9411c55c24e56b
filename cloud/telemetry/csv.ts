import { csvRows } from '../store/telemetry/csv-rows.ts';
import type { SiteSeries } from './history.ts';

/** One line a time, the columns of each kind beside each other. */
export function seriesCsv(series: readonly SiteSeries[]): Promise<Uint8Array> {
  const at = Float64Array.from(
    new Set(series.flatMap(({ points }) => points.map(({ timestamp }) => timestamp))),
  ).sort();
  const rows = new Map(Array.from(at, (timestamp, row) => [timestamp, row]));
  const fields = new Map<string, Float64Array>();
  const columnOf = (name: string): Float64Array => {
    const column = fields.get(name) ?? new Float64Array(at.length).fill(Number.NaN);
    fields.set(name, column);
    return column;
  };
  for (const { kind, points } of series) {
    for (const { timestamp, ...values } of points) {
      for (const name in values) columnOf(`${kind}_${name}`)[rows.get(timestamp)!] = values[name]!;
    }
  }
  return csvRows({ at, fields }, { empty: 'kept' });
}
