import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { NumberType, Point, Reading, Sign, WordOrder } from './point.ts';
import type { Cell } from './read-plan.ts';
import { fractionOf, rawReader, wordsOf } from './words.ts';

/** What holds for every point of a map that does not say otherwise. */
export type PointDefaults = {
  wordOrder?: WordOrder;
  absent?: Partial<Record<NumberType, readonly number[]>>;
};

/** A reading made ready: the cells that it needs, and the value that they hold. */
export type Evaluator = {
  cells: readonly Cell[];
  /** NaN when there is none */
  value(): number;
  /** it should have been read and was not */
  isMissing(): boolean;
};

export function evaluatorOf(reading: Reading, defaults: PointDefaults, isMandatory = false): Evaluator {
  if (reading.kind === 'point') return pointEvaluator(reading, defaults, isMandatory);
  if (reading.kind === 'solar') {
    return solarEvaluator(
      evaluatorOf(reading.alternating, defaults, isMandatory),
      evaluatorOf(reading.battery, defaults), // an inverter without one is read all the same
    );
  }
  const parts = (reading.kind === 'sum' ? reading.parts : reading.choices).map((part) =>
    evaluatorOf(part, defaults, isMandatory),
  );
  const cells = parts.flatMap((part) => part.cells);
  if (reading.kind === 'sum') {
    const isMissing = (): boolean => parts.some((part) => part.isMissing());
    return { cells, isMissing, value: () => (isMissing() ? Number.NaN : total(parts)) };
  }
  if (reading.kind === 'leastOf') {
    const value = (): number => {
      const known = parts.map((part) => part.value()).filter((each) => !Number.isNaN(each));
      return known.length > 0 ? Math.min(...known) : Number.NaN;
    };
    return { cells, isMissing: () => parts.every((part) => part.isMissing()), value };
  }
  return {
    cells,
    isMissing: () => parts.every((part) => part.isMissing()),
    value: () => {
      for (const part of parts) {
        const value = part.value();
        if (!Number.isNaN(value)) return value;
      }
      return Number.NaN;
    },
  };
}

function solarEvaluator(alternating: Evaluator, battery: Evaluator): Evaluator {
  let hasBattery = false;
  return {
    cells: [...alternating.cells, ...battery.cells],
    isMissing: alternating.isMissing,
    value() {
      const ac_W = alternating.value();
      const battery_W = battery.value();
      hasBattery ||= !Number.isNaN(battery_W);
      if (!hasBattery) return ac_W;
      return Math.min(0, withoutNoise(ac_W - battery_W)); // NaN while the battery is silent: a wrong power is worse
    },
  };
}

function total(parts: readonly Evaluator[]): number {
  let added = Number.NaN;
  for (const part of parts) {
    const value = part.value();
    if (!Number.isNaN(value)) added = Number.isNaN(added) ? value : added + value;
  }
  return Number.isInteger(added) ? added : withoutNoise(added);
}

const withoutNoise = (value: number): number => Number(value.toPrecision(12));

const cellOf = ({ table, type, address }: Point, isMandatory: boolean): Cell => ({
  table,
  address,
  count: wordsOf[type],
  isMandatory,
  words: undefined,
  at: 0,
});

function pointEvaluator(point: Point, defaults: PointDefaults, isMandatory: boolean): Evaluator {
  const { type, scale = 1, offset = 0, between, exponent, sign, optional } = point;
  const order = point.wordOrder ?? defaults.wordOrder ?? 'big';
  const raw = rawReader(type, order, [...(defaults.absent?.[type] ?? []), ...(point.absent ?? [])]);
  const { multiply, divide } = fractionOf(scale);
  const cell = cellOf(point, isMandatory && !optional);
  const powerOfTen = exponent === undefined ? undefined : exponentEvaluator(point.table, exponent, isMandatory);
  const direction = sign && signEvaluator(sign, defaults, isMandatory);

  const scaled = (): number => {
    if (!cell.words) return Number.NaN;
    const number = raw(cell.words, cell.at);
    const power = powerOfTen ? powerOfTen.value() : 0;
    if (Number.isNaN(power)) return Number.NaN;
    // Multiplied and divided by integers, an integer keeps exactly the decimals of its scale.
    const product = number * multiply * (power > 0 ? 10 ** power : 1) + offset * divide;
    const value = product / (divide * (power < 0 ? 10 ** -power : 1));
    return type === 'f32' && scale !== 1 && scale !== -1 ? withoutNoise(value) : value;
  };

  return {
    cells: [cell, ...(powerOfTen?.cells ?? []), ...(direction?.cells ?? [])],
    isMissing: () => !optional && cell.words === undefined,
    value() {
      const value = direction ? direction.apply(scaled()) : scaled();
      if (between && (value < between[0] || value > between[1])) return Number.NaN;
      return value;
    },
  };
}

const widestExponent = 10;

function exponentEvaluator(
  table: RegisterTable,
  address: number,
  isMandatory: boolean,
): Pick<Evaluator, 'cells' | 'value'> {
  const cell = cellOf({ kind: 'point', table, type: 'i16', address }, isMandatory);
  const raw = rawReader('i16', 'big', []);
  return {
    cells: [cell],
    value() {
      const power = cell.words ? raw(cell.words, cell.at) : Number.NaN;
      return Math.abs(power) <= widestExponent ? power : Number.NaN;
    },
  };
}

function signEvaluator(
  { by, plus, minus, mayBeSigned }: Sign,
  defaults: PointDefaults,
  isMandatory: boolean,
): { cells: readonly Cell[]; apply(value: number): number } {
  const status = pointEvaluator(by, defaults, isMandatory);
  return {
    cells: status.cells,
    apply(value) {
      const now = status.value();
      if (Number.isNaN(now)) return Number.NaN;
      if (mayBeSigned && value < 0) return value;
      if (plus(now) && !minus(now)) return Math.abs(value);
      if (minus(now) && !plus(now)) return -Math.abs(value);
      return mayBeSigned || value === 0 ? value : Number.NaN;
    },
  };
}
