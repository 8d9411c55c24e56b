import type { DerKind } from '#contract/gateway/reading.ts';
import type { FieldName } from '#contract/telemetry.ts';
import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { Confidence } from '../profile.ts';

/** The words that a register map is written in. */
export type NumberType = 'u16' | 'i16' | 'u32' | 'i32' | 'u64' | 'f32';

/** Which of several registers comes first: the high word (big) or the low one. Inside a register the high byte does. */
export type WordOrder = 'big' | 'little';

export type PointOptions = {
  wordOrder?: WordOrder;
  /** what to multiply with to get the unit and the sign of docs/units-and-signs.md */
  scale?: number;
  /** added after scaling */
  offset?: number;
  /** a result outside is no measurement */
  between?: readonly [least: number, most: number];
  /** raw patterns that mean "no value", beside those of the type and of the map */
  absent?: readonly number[];
  /** not every model has it */
  optional?: true;
  /** address of a signed register n; the value is multiplied by 10^n */
  exponent?: number;
  /** the register holds a magnitude, and another one its direction */
  sign?: Sign;
  /** where it differs from that of the map */
  confidence?: Confidence;
};

/** A number in one to four registers. */
export type Point = PointOptions & { kind: 'point'; table: RegisterTable; type: NumberType; address: number };

/** Parts that the device does not have are passed over; without any part there is no sum. */
export type Sum = { kind: 'sum'; parts: readonly Reading[] };

/** The first that gives a value. */
export type FirstOf = { kind: 'firstOf'; choices: readonly Reading[] };

/** The smallest of those that give a value. */
export type LeastOf = { kind: 'leastOf'; choices: readonly Reading[] };

/**
 * Solar power of a hybrid inverter that reports its AC power, which also carries what the battery gives: AC plus what the
 * battery takes, and never a positive number. Without a battery it is the AC power.
 */
export type Solar = {
  kind: 'solar';
  /** negative when generating */
  alternating: Reading;
  /** + charge */
  battery: Reading;
};

export type Reading = Point | Sum | FirstOf | LeastOf | Solar;

/** Two characters in each register. */
export type Text = { kind: 'text'; table: RegisterTable; address: number; words: number };

export type Fields = Partial<Record<FieldName, Reading>>;
export type Ders = Partial<Record<DerKind, Fields>>;

type Match = (status: number) => boolean;

export type Sign = {
  by: Point;
  plus: Match;
  minus: Match;
  /** newer firmware signs the value itself: a negative one stays, and one without direction is taken as it is */
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

/** A point read with function code 4. */
export const input = pointIn('input');

/** A point read with function code 3. */
export const holding = pointIn('holding');

export const inputText = (address: number, words: number): Text => ({ kind: 'text', table: 'input', address, words });

export const holdingText = (address: number, words: number): Text => ({
  kind: 'text',
  table: 'holding',
  address,
  words,
});

export const sum = (...parts: Reading[]): Sum => ({ kind: 'sum', parts });

export const solarBehind = (alternating: Reading, battery: Reading): Solar => ({ kind: 'solar', alternating, battery });

export const firstOf = (...choices: Reading[]): FirstOf => ({ kind: 'firstOf', choices });

export const leastOf = (...choices: Reading[]): LeastOf => ({ kind: 'leastOf', choices });
