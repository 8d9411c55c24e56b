type FormatNumber = (value: number, digits: number) => string;

const prefixes: [least: number, factor: number, prefix: string][] = [
  [1e9, 1e9, 'G'],
  [1e6, 1e6, 'M'],
  [1000, 1000, 'k'],
  [0, 1, ''],
];

const prefixed = ['W', 'Wh'];
const plain = ['V', 'A', 'Hz', '°C'];

/** Short words for the ticks of an axis, all alike; undefined for a unit that only its own format can write. */
export function tickTexts(
  ticks: readonly number[],
  increment: number,
  unit: string,
  number: FormatNumber,
): string[] | undefined {
  if (unit === '%') return ticks.map((tick) => `${number(tick * 100, digitsOf(increment * 100))} %`);
  if (plain.includes(unit)) return ticks.map((tick) => `${number(tick, digitsOf(increment))} ${unit}`);
  if (!prefixed.includes(unit)) return undefined;
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const [, factor, prefix] = prefixes.find(([least]) => largest >= least)!;
  return ticks.map((tick) => `${number(tick / factor, digitsOf(increment / factor))} ${prefix}${unit}`);
}

/** As many digits as tell two neighbours apart. */
const digitsOf = (increment: number): number =>
  [0, 1, 2, 3].find((digits) => Math.abs(increment * 10 ** digits - Math.round(increment * 10 ** digits)) < 1e-6) ?? 4;
