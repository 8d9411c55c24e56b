import type { Point, SiteSeries } from './history.ts';

/** One line a point, one column a field; a value that was not measured is an empty cell. */
export function pointsCsv(points: readonly Point[]): string {
  const fields = [...new Set(points.flatMap((point) => Object.keys(point)))]
    .filter((name) => name !== 'timestamp')
    .sort();
  const lines = points.map((point) => [iso(point.timestamp), ...fields.map((name) => point[name] ?? '')].join(','));
  return `${[['timestamp', ...fields.map(quoted)].join(','), ...lines].join('\n')}\n`;
}

/** One line a time, the columns of each kind beside each other. */
export function seriesCsv(series: readonly SiteSeries[]): string {
  const byTime = new Map<number, Point>();
  for (const { kind, points } of series) {
    for (const { timestamp, ...values } of points) {
      const row = byTime.get(timestamp) ?? { timestamp };
      for (const [name, value] of Object.entries(values)) row[`${kind}_${name}`] = value;
      byTime.set(timestamp, row);
    }
  }
  return pointsCsv([...byTime.values()].sort((a, b) => a.timestamp - b.timestamp));
}

/** A device names its fields as it likes (RFC 4180, 2). */
const quoted = (name: string): string => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

const iso = (ms: number): string => new Date(ms).toISOString();
