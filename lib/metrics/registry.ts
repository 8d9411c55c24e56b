/** One figure; a histogram is made of several, which its suffixes tell apart. */
export type Sample = { value: number; labels?: Labels; suffix?: '_bucket' | '_sum' | '_count' };

export type Labels = Readonly<Record<string, string | number>>;

/** What is measured, in the words of Prometheus. It is asked for its samples each time that somebody reads. */
export type Metric = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
};

export type Registry = {
  add(...metrics: Metric[]): void;
  /** all of them in the text format of Prometheus */
  text(): string;
};

type Read = () => number | readonly Sample[];

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
  const samples = (): readonly Sample[] => {
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
