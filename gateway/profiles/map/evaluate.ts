import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { Expression, NumberType, Point, Sign, WordOrder } from './point.ts';
import type { RegisterSlot } from './read-plan.ts';
import { fractionOf, rawReader, wordsOf } from './words.ts';

/** Applies to every point of a map without an option of its own. */
export type PointDefaults = {
  wordOrder?: WordOrder;
  absent?: Partial<Record<NumberType, readonly number[]>>;
};

/** An expression prepared for reading: the registers that it needs, and the value computed from them. */
export type Evaluator = {
  slots: readonly RegisterSlot[];
  /** Returns NaN without a value. */
  value(): number;
  /** Returns true when a required register was not read. */
  isMissing(): boolean;
};

export function evaluatorOf(expression: Expression, defaults: PointDefaults, isMandatory = false): Evaluator {
  if (expression.kind === 'point') return pointEvaluator(expression, defaults, isMandatory);
  if (expression.kind === 'solar') {
    return solarEvaluator(
      evaluatorOf(expression.ac, defaults, isMandatory),
      evaluatorOf(expression.battery, defaults), // an inverter without a battery is read as well
    );
  }
  const { kind } = expression;
  const parts = expression.parts.map((part) => evaluatorOf(part, defaults, isMandatory));
  const isMissing = (): boolean =>
    kind === 'sum' ? parts.some((part) => part.isMissing()) : parts.every((part) => part.isMissing());
  return {
    slots: parts.flatMap((part) => part.slots),
    isMissing,
    value() {
      if (kind === 'sum' && isMissing()) return Number.NaN;
      const [first = Number.NaN, ...rest] = parts.map((part) => part.value()).filter((value) => !Number.isNaN(value));
      if (kind === 'firstOf') return first;
      return kind === 'sum' ? total(first, rest) : Math.min(first, ...rest);
    },
  };
}

function solarEvaluator(ac: Evaluator, battery: Evaluator): Evaluator {
  let hasBattery = false;
  return {
    slots: [...ac.slots, ...battery.slots],
    isMissing: ac.isMissing,
    value() {
      const ac_W = ac.value();
      const battery_W = battery.value();
      hasBattery ||= !Number.isNaN(battery_W);
      if (!hasBattery) return ac_W;
      return Math.min(0, withoutNoise(ac_W - battery_W)); // NaN while the battery is silent, rather than a wrong power
    },
  };
}

function total(first: number, rest: readonly number[]): number {
  const sum = rest.reduce((added, value) => added + value, first);
  return Number.isInteger(sum) ? sum : withoutNoise(sum);
}

/** Removes rounding errors of floating-point arithmetic. */
const withoutNoise = (value: number): number => Number(value.toPrecision(12));

function pointEvaluator(point: Point, defaults: PointDefaults, isMandatory: boolean): Evaluator {
  const { type, scale = 1, offset = 0, between, exponent, sign, optional } = point;
  const order = point.wordOrder ?? defaults.wordOrder ?? 'big';
  const raw = rawReader(type, order, [...(defaults.absent?.[type] ?? []), ...(point.absent ?? [])]);
  const { multiply, divide } = fractionOf(scale);
  const slot: RegisterSlot = {
    table: point.table,
    address: point.address,
    count: wordsOf[type],
    isMandatory: isMandatory && !optional,
    words: undefined,
    offset: 0,
  };
  const powerOfTen =
    exponent === undefined ? undefined : pointEvaluator(exponentPoint(point.table, exponent), {}, isMandatory);
  const direction = sign && signEvaluator(sign, defaults, isMandatory);

  const scaled = (): number => {
    if (!slot.words) return Number.NaN;
    const number = raw(slot.words, slot.offset);
    const power = powerOfTen ? powerOfTen.value() : 0;
    if (Number.isNaN(power)) return Number.NaN;
    // Multiplying and dividing by integers avoids rounding errors: 3862 × 0.1 is exactly 386.2.
    const product = number * multiply * (power > 0 ? 10 ** power : 1) + offset * divide;
    const value = product / (divide * (power < 0 ? 10 ** -power : 1));
    return type === 'f32' && scale !== 1 && scale !== -1 ? withoutNoise(value) : value;
  };

  return {
    slots: [slot, ...(powerOfTen?.slots ?? []), ...(direction?.slots ?? [])],
    isMissing: () => !optional && slot.words === undefined,
    value() {
      const value = direction ? direction.apply(scaled()) : scaled();
      if (between && (value < between[0] || value > between[1])) return Number.NaN;
      return value;
    },
  };
}

const maxExponent = 10;

const exponentPoint = (table: RegisterTable, address: number): Point => ({
  kind: 'point',
  table,
  type: 'i16',
  address,
  between: [-maxExponent, maxExponent],
});

function signEvaluator(
  { by, plus, minus, mayBeSigned }: Sign,
  defaults: PointDefaults,
  isMandatory: boolean,
): { slots: readonly RegisterSlot[]; apply(value: number): number } {
  const status = pointEvaluator(by, defaults, isMandatory);
  return {
    slots: status.slots,
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
