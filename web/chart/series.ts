/** A colour token of web/style/tokens.css, without its dashes. */
export type ColourName =
  | 'sun'
  | 'battery'
  | 'grid-in'
  | 'grid-out'
  | 'car'
  | 'load'
  | 'accent'
  | 'problem'
  | 'warning'
  | 'ink-soft';

export const chartHeight = 320; // px

export type Values = readonly (number | undefined)[];

export type ChartSeries = {
  name: string;
  /** Series of the same unit share an axis: the first unit on the left, the second on the right. */
  unit: string;
  /** one for each x; undefined is drawn as a gap */
  values: Values;
  colour: ColourName;
  kind: 'line' | 'area' | 'bars';
  /** stacked on the stacked series before it: positive values above zero, negative values below */
  stack?: boolean;
  dashed?: boolean;
  /** shown in the legend while no value is pointed at, such as the sum; the unit by default */
  summary?: string;
  /** Replaces the format of the chart for this series. */
  format?(value: number): string;
};

/** Returns a value of a series as text; undefined when it is missing. */
export function textOf(
  { values, unit, format: own }: ChartSeries,
  index: number,
  format: ChartData['format'],
): string | undefined {
  const value = values[index];
  if (value === undefined) return undefined;
  return own ? own(value) : format(value, unit);
}

export type ChartData = {
  /** the accessible name of the chart, and the name of its CSV file */
  label: string;
  /** ms, ascending */
  x: readonly number[];
  series: readonly ChartSeries[];
  /** Returns a value with its unit. */
  format(value: number, unit: string): string;
  /** Returns an x as text; date and time by default. */
  formatX?: ((ms: number, timeZone?: string) => string) | undefined;
  /** IANA name; that of the browser by default */
  timeZone?: string | undefined;
};

export type ChartProps = ChartData & {
  /** the duration of an x: a longer distance to the next is a gap */
  stepMs?: number | undefined;
  /** where the last bar ends; by default at the end of the chart */
  endMs?: number | undefined;
  /** the whole chart, shown at first */
  range: readonly [fromMs: number, toMs: number];
  /** names for the values above and below zero; the axis then has no minus sign */
  sides?: { up: string; down: string };
  /** marked times */
  markers?: readonly { atMs: number; label: string }[];
  /** Called with the visible part when it changes. */
  onZoom?(fromMs: number, toMs: number): void;
};

/** Returns a CSV file with a line for each x and a column for each series; a missing value is an empty cell. */
export function csvOf(x: readonly number[], series: readonly ChartSeries[], sides?: ChartProps['sides']): string {
  const leftUnit = series[0]?.unit;
  const signs = sides && `+ ${sides.up}, - ${sides.down}`;
  const head = series.map(({ name, unit }) => {
    const more = [fileUnit(unit), unit === leftUnit && signs].filter(Boolean).join(', ');
    return csvCell(more ? `${name} (${more})` : name);
  });
  const lines = x.map((ms, i) => [new Date(ms).toISOString(), ...series.map(({ values }) => values[i] ?? '')]);
  return [['time', ...head], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Returns the unit of a column: the file has fractions where the chart shows percent. */
const fileUnit = (unit: string): string => (unit === '%' ? '0 to 1' : unit);

/** Quotes a text, and escapes one that a spreadsheet would take for a formula. */
const csvCell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
