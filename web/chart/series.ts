/** A token of web/style/tokens.css, without its dashes. */
export type ColourName =
  | 'sun'
  | 'battery'
  | 'grid-in'
  | 'grid-out'
  | 'car'
  | 'load'
  | 'unknown'
  | 'accent'
  | 'problem'
  | 'warning'
  | 'good'
  | 'ink-soft';

export type Values = readonly (number | undefined)[];

export type ChartSeries = {
  name: string;
  /** Series of one unit share an axis: the first unit has the left one, the second the right one. */
  unit: string;
  /** One for each x; undefined is drawn as a gap. */
  values: Values;
  colour: ColourName;
  kind: 'line' | 'area' | 'step' | 'bars';
  /** Lies on the stacked series before it: what is positive above zero, what is negative below. */
  stack?: boolean;
  dashed?: boolean;
  /** A value of this series in words, where that of the chart does not do. */
  format?(value: number): string;
};

/** A value of a series in words; undefined when it was not measured. */
export function textOf(
  { values, unit, format: own }: ChartSeries,
  index: number,
  format: ChartData['format'],
): string | undefined {
  const value = values[index];
  if (value === undefined) return undefined;
  return own ? own(value) : format(value, unit);
}

/** A moment, or a time when it has an end. */
export type Marker = { atMs: number; toMs?: number; label: string };

export type ChartData = {
  /** what the chart shows, for those who do not see it, and the name of its file */
  label: string;
  /** ms, ascending */
  x: readonly number[];
  series: readonly ChartSeries[];
  /** A value in words: with its unit. */
  format(value: number, unit: string): string;
  /** An x in words; its date and time when left out. */
  formatX?: ((ms: number, timeZone?: string) => string) | undefined;
  /** IANA name; that of the browser when left out */
  timeZone?: string | undefined;
};

export type ChartProps = ChartData & {
  /** How long an x stands for: a greater distance to the next is a gap, a step or a bar is so long. */
  stepMs?: number | undefined;
  /** what is seen at first and at most; all of x when left out */
  range?: readonly [fromMs: number, toMs: number];
  /** Words for what is above and below zero; the axis then has no minus. */
  sides?: { up: string; down: string };
  markers?: readonly Marker[];
  height?: number;
  /** Told when another part is seen; the whole range when it is reset. */
  onZoom?(fromMs: number, toMs: number): void;
};
