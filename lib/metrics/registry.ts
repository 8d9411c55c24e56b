/** One figure; a histogram is made of several, which its suffixes tell apart. */
export type MetricSample = { value: number; labels?: Labels; suffix?: '_bucket' | '_sum' | '_count' };

export type Labels = Readonly<Record<string, string | number>>;

/** What is measured, in the words of Prometheus. It is asked for its samples each time that somebody reads. */
export type Metric = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly MetricSample[];
};

export type Registry = {
  add(...metrics: Metric[]): void;
  /** all of them in the text format of Prometheus */
  text(): string;
};

type Read = () => number | readonly MetricSample[];

/** What goes up and down. */
export const gauge = (name: string, help: string, read: Read): Metric => ({
  ...measured(name, help, read),
  type: 'gauge',
});

/** What only grows, until the process ends. */
export const counter = (name: string, help: string, read: Read): Metric => ({
  ...measured(name, help, read),
  type: 'counter',
});

function measured(name: string, help: string, read: Read): Omit<Metric, 'type'> {
  const samples = (): readonly MetricSample[] => {
    const found = read();
    return typeof found === 'number' ? [{ value: found }] : found;
  };
  return { name, help, samples };
}

export function createRegistry(): Registry {
  const metrics = new Map<string, Metric>();
  return {
    add(...added) {
      for (const metric of added) {
        if (metrics.has(metric.name)) throw new Error(`There are two metrics ${metric.name}.`);
        metrics.set(metric.name, metric);
      }
    },
    text: () => Array.from(metrics.values(), textOf).join('\n'),
  };
}

function textOf({ name, help, type, samples }: Metric): string {
  const lines = samples().map(
    ({ value, labels = {}, suffix = '' }) => `${name}${suffix}${labelsText(labels)} ${valueText(value)}\n`,
  );
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([label, value]) => `${label}="${escaped(String(value)).replaceAll('"', String.raw`\"`)}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

const escaped = (text: string): string => text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);

const valueText = (value: number): string => String(value).replace('Infinity', 'Inf');

/** What is alike by its labels. */
export type Series = { observe(value: number): void };

type Histogram = { metric: Metric; series(labels: Labels): Series };

type Counted = Series & { samples(): MetricSample[] };

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
