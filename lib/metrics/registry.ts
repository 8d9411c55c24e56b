/** One value of a metric. The values of a histogram differ by their suffix. */
export type MetricSample = { value: number; labels?: Labels; suffix?: '_bucket' | '_sum' | '_count' };

export type Labels = Readonly<Record<string, string | number>>;

/** A metric in the Prometheus sense. Its samples are computed for each scrape. */
export type Metric = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly MetricSample[];
};

export type Registry = ReturnType<typeof createRegistry>;

type Read = () => number | readonly MetricSample[];

const metricOf =
  (type: 'gauge' | 'counter') =>
  (name: string, help: string, read: Read): Metric => {
    const samples = (): readonly MetricSample[] => {
      const value = read();
      return typeof value === 'number' ? [{ value }] : value;
    };
    return { name, help, type, samples };
  };

export const gauge = metricOf('gauge');

/** Creates a metric that only grows until the process ends. */
export const counter = metricOf('counter');

export function createRegistry() {
  const metrics = new Map<string, Metric>();
  return {
    add(...added: Metric[]): void {
      for (const metric of added) {
        if (metrics.has(metric.name)) throw new Error(`The metric ${metric.name} is registered twice.`);
        metrics.set(metric.name, metric);
      }
    },
    /** Returns all metrics in the Prometheus text format. */
    text: (): string => Array.from(metrics.values(), textOf).join('\n'),
  };
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples().map(
    ({ value, labels = {}, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${valueText(value)}\n`,
  );
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Labels): string {
  let pairs = '';
  for (const label in labels) pairs += `${pairs && ','}${label}="${labelValue(String(labels[label]))}"`;
  return pairs && `{${pairs}}`;
}

const special = /[\\\n"]/;

/** Escapes the few values that need it: a scrape has tens of thousands. */
const labelValue = (text: string): string =>
  special.test(text) ? escaped(text).replaceAll('"', String.raw`\"`) : text;

const escaped = (text: string): string => text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);

const valueText = (value: number): string => String(value).replace('Infinity', 'Inf');

export type Series = { observe(value: number): void };

type Histogram = { metric: Metric; series(labels: Labels): Series };

type CountedSeries = Series & { samples(): MetricSample[] };

/** Creates a histogram with these upper bounds. Frequent callers keep the series of their labels. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all: CountedSeries[] = [];
  return {
    metric: { name, help, type: 'histogram', samples: () => all.flatMap((series) => series.samples()) },
    series(labels) {
      const series = count(labels, bounds);
      all.push(series);
      return series;
    },
  };
}

function count(labels: Labels, bounds: readonly number[]): CountedSeries {
  const buckets = bounds.map((le) => ({ le, count: 0 })); // cumulative
  let total = 0;
  let sum = 0;
  return {
    observe(value) {
      total += 1;
      sum += value;
      for (const bucket of buckets) if (value <= bucket.le) bucket.count += 1;
    },
    samples: () => [
      ...buckets.map(({ le, count }) => ({ suffix: '_bucket' as const, labels: { le, ...labels }, value: count })),
      { suffix: '_bucket', labels: { le: '+Inf', ...labels }, value: total },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: total },
    ],
  };
}
