import type { Metric, Registry } from 'prom-client';

const name = 'http_request_duration_seconds';
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

type Labels = { method: string; route: string; status: string };

/** Requests of one route that ended alike. */
export type Series = { observe(seconds: number): void };

type Counted = Series & { values(): { metricName: string; labels: object; value: number }[] };

/** A histogram as Prometheus wants it. The one of prom-client looks its labels up anew for each request. */
export function requestDurations(registry: Registry): { series(labels: Labels): Series } {
  const counted: Counted[] = [];
  const metric = {
    name,
    help: 'Time from the request to the end of its answer',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: counted.flatMap((series) => series.values()) }),
    reset: () => {},
  };
  registry.registerMetric(metric as unknown as Metric);
  return {
    series(labels) {
      const series = count(labels);
      counted.push(series);
      return series;
    },
  };
}

function count(labels: Labels): Counted {
  const buckets = new Array<number>(bounds.length).fill(0); // each holds those of the smaller ones, too
  let total = 0;
  let sum = 0;
  return {
    observe(seconds) {
      total += 1;
      sum += seconds;
      for (let i = bounds.length - 1; i >= 0 && seconds <= bounds[i]!; i--) buckets[i]! += 1;
    },
    values: () => [
      ...bounds.map((le, i) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: buckets[i]! })),
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: total },
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ],
  };
}
