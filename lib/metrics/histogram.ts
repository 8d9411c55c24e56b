import type { Labels, Metric, Sample } from './registry.ts';

/** What is alike by its labels. */
export type Series = { observe(value: number): void };

export type Histogram = { metric: Metric; series(labels: Labels): Series };

type Counted = Series & { samples(): Sample[] };

/** Counts values by the bounds that they do not exceed. Who observes often keeps its series. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all: Counted[] = [];
  return {
    metric: { name, help, type: 'histogram', samples: () => all.flatMap((series) => series.samples()) },
    series(labels) {
      const series = count(labels, bounds);
      all.push(series);
      return series;
    },
  };
}

function count(labels: Labels, bounds: readonly number[]): Counted {
  const buckets = new Array<number>(bounds.length).fill(0); // each holds those of the smaller ones, too
  let total = 0;
  let sum = 0;
  return {
    observe(value) {
      total += 1;
      sum += value;
      for (let i = bounds.length - 1; i >= 0 && value <= bounds[i]!; i--) buckets[i]! += 1;
    },
    samples: () => [
      ...bounds.map((le, i) => ({ suffix: '_bucket' as const, labels: { le, ...labels }, value: buckets[i]! })),
      { suffix: '_bucket', labels: { le: '+Inf', ...labels }, value: total },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: total },
    ],
  };
}
