import type { DerKind } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { Confidence } from '../profile.ts';

// The vocabulary of register maps.

export type NumberType = 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'f32';

/** Which of several registers comes first: the high word (big) or the low word (little). Bytes are always big-endian. */
export type WordOrder = 'big' | 'little';

export type PointOptions = {
  wordOrder?: WordOrder;
  /** factor that converts to the unit and sign of docs/units-and-signs.md */
  scale?: number;
  /** added after scaling */
  offset?: number;
  /** results outside this range are discarded */
  between?: readonly [min: number, max: number];
  /** raw patterns that mean "no value", in addition to those of the type and of the map */
  absent?: readonly number[];
  /** not every model has it */
  optional?: true;
  /** address of a signed register n; the value is multiplied by 10^n */
  exponent?: number;
  /** the register contains a magnitude, and another register its direction */
  sign?: Sign;
  /** overrides the confidence of the map */
  confidence?: Confidence;
};

/** A number in one to four registers. */
export type Point = PointOptions & { kind: 'point'; table: RegisterTable; type: NumberType; address: number };

/** The sum, the first or the smallest of the parts that have a value. A sum needs all parts that are not optional. */
type Combination = { kind: 'sum' | 'firstOf' | 'leastOf'; parts: readonly Expression[] };

/** Solar power of a hybrid inverter that only reports its AC power: that minus the battery power, at most zero. */
export type Solar = {
  kind: 'solar';
  /** negative when generating */
  ac: Expression;
  /** + charge */
  battery: Expression;
};

export type Expression = Point | Combination | Solar;

/** Two characters per register. */
export type TextPoint = { kind: 'text'; table: RegisterTable; address: number; words: number };

export type Fields = Partial<Record<FieldName, Expression>>;
export type Ders = Partial<Record<DerKind, Fields>>;

type Match = (status: number) => boolean;

export type Sign = {
  by: Point;
  plus: Match;
  minus: Match;
  /** newer firmware signs the value itself: negative values are kept, and so are values without a direction */
  mayBeSigned?: true;
};

export const bit =
  (position: number): Match =>
  (status) =>
    (status & (1 << position)) !== 0;

export const is =
  (value: number): Match =>
  (status) =>
    status === value;

const pointIn =
  (table: RegisterTable) =>
  (type: NumberType, address: number, options: PointOptions = {}): Point => ({
    kind: 'point',
    table,
    type,
    address,
    ...options,
  });

const textIn =
  (table: RegisterTable) =>
  (address: number, words: number): TextPoint => ({ kind: 'text', table, address, words });

/** A point read with function code 4. */
export const input = pointIn('input');
export const inputText = textIn('input');

/** A point read with function code 3. */
export const holding = pointIn('holding');
export const holdingText = textIn('holding');

/** The same field of three phases: L1, L2 and L3 at these addresses. */
export const phases = (
  unit: 'W' | 'V' | 'A',
  [L1, L2, L3]: readonly [L1: number, L2: number, L3: number],
  pointAt: (address: number) => Expression,
): Fields => ({ [`L1_${unit}`]: pointAt(L1), [`L2_${unit}`]: pointAt(L2), [`L3_${unit}`]: pointAt(L3) });

/** Voltage and current of two strings: each voltage at its address, its current in the register after it. */
export const strings = (
  pointAt: typeof holding,
  type: NumberType,
  [first, second]: readonly [number, number],
  { V, A }: { V: number; A: number },
): Fields => ({
  mppt1_V: pointAt(type, first, { scale: V }),
  mppt1_A: pointAt(type, first + 1, { scale: A }),
  mppt2_V: pointAt(type, second, { scale: V }),
  mppt2_A: pointAt(type, second + 1, { scale: A }),
});

/** The energy counters of a battery or a meter at these addresses. */
export const totals = (
  addresses: { charge: number; discharge: number } | { import: number; export: number },
  pointAt: (address: number) => Expression,
): Fields => Object.fromEntries(Object.entries(addresses).map(([name, at]) => [`total_${name}_Wh`, pointAt(at)]));

export const sum = (...parts: Expression[]): Combination => ({ kind: 'sum', parts });
export const firstOf = (...parts: Expression[]): Combination => ({ kind: 'firstOf', parts });
export const leastOf = (...parts: Expression[]): Combination => ({ kind: 'leastOf', parts });
export const solarFromAc = (ac: Expression, battery: Expression): Solar => ({ kind: 'solar', ac, battery });

/** `Object.entries` with the names of the keys; the objects here are literals without further keys. */
export const entriesOf = <Key extends string, Value>(record: Partial<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][];
