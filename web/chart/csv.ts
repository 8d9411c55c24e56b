import type { ChartProps, ChartSeries } from './series.ts';

/** One line for each x, one column for each series with its unit; what was not measured is an empty cell. */
export function csvOf(x: readonly number[], series: readonly ChartSeries[], sides?: ChartProps['sides']): string {
  const signs = sides && `+ ${sides.up}, - ${sides.down}`;
  const head = series.map(({ name, unit }) => {
    const more = [fileUnit(unit), unit === series[0]!.unit && signs].filter(Boolean).join(', ');
    return cell(more ? `${name} (${more})` : name);
  });
  const lines = x.map((ms, i) => [new Date(ms).toISOString(), ...series.map(({ values }) => values[i] ?? '')]);
  return [['time', ...head], ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** A share is a fraction, and only its words are percent. */
const fileUnit = (unit: string): string => (unit === '%' ? '0 to 1' : unit);

/** A name that a table program would take for a formula is made text. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
