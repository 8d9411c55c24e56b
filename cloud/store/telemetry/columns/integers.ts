import type { ByteReader, ByteWriter } from './bytes.ts';

/** Integers up to this size can be taken from one another and differenced twice, and still be exact. */
export const largestInteger = 2 ** 48;

// How a series is told: by its distance from its least value, by its steps, or by the changes of its steps.
const orders = [0, 1, 2] as const;
type Order = (typeof orders)[number];

export type Told = { order: Order; starts: number[]; rest: Float64Array; width: number; bits: number };

/** A series in the order that leaves the least to tell. */
export function tellIntegers(values: Float64Array): Told {
  let best = tellIn(0, values);
  for (const order of orders) {
    if (order === 0 || values.length <= order || best.bits === 0) continue;
    const next = tellIn(order, values);
    if (next.bits < best.bits) best = next;
  }
  return best;
}

/** Bytes by significance: the lowest of all values first. */
export function writeTold(to: ByteWriter, { order, starts, rest, width }: Told): void {
  to.integer(order + width * 4);
  for (const value of starts) to.integer(zigzag(value));
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    const room = to.room(rest.length);
    if (width <= 3) for (let i = 0; i < rest.length; i++) room[i] = rest[i]! >> (8 * plane);
    else for (let i = 0; i < rest.length; i++) room[i] = Math.floor(rest[i]! / scale) % 256;
  }
}

export const writeIntegers = (to: ByteWriter, values: Float64Array): void => writeTold(to, tellIntegers(values));

/** Into the column given, or one of their own. */
export function readIntegers(
  from: ByteReader,
  length: number,
  values: Float64Array = new Float64Array(length),
): Float64Array {
  const head = from.integer();
  const order = head & 3;
  const width = head >> 2;
  const first = unzigzag(from.integer());
  const step = order === 2 ? unzigzag(from.integer()) : 0;
  if (width === 0 && order < 2) return values.fill(first);
  if (width > 2) {
    readPlanes(from, values, order, width);
    if (order > 0) for (let i = order; i < length; i++) values[i] = unzigzag(values[i]!);
  } else {
    readNarrow(from, values, order, width);
  }
  if (order === 0) for (let i = 0; i < length; i++) values[i]! += first;
  else addSteps(values, order, first, step);
  return values;
}

/** Of two bytes at most, which is most of them: in one go. */
function readNarrow(from: ByteReader, values: Float64Array, order: number, width: number): void {
  const size = values.length - order;
  const low = from.block(width > 0 ? size : 0);
  const high = from.block(width > 1 ? size : 0);
  for (let i = 0; i < size; i++) {
    const left = width === 0 ? 0 : width === 1 ? low[i]! : low[i]! | (high[i]! << 8);
    values[i + order] = order === 0 ? left : (left >>> 1) ^ -(left & 1);
  }
}

function addSteps(values: Float64Array, order: number, first: number, firstStep: number): void {
  let value = first;
  let step = firstStep;
  values[0] = first;
  if (order === 1) {
    for (let i = 1; i < values.length; i++) {
      value += values[i]!;
      values[i] = value;
    }
    return;
  }
  value += step;
  values[1] = value;
  for (let i = 2; i < values.length; i++) {
    step += values[i]!;
    value += step;
    values[i] = value;
  }
}

function tellIn(order: Order, values: Float64Array): Told {
  const rest = new Float64Array(values.length - order);
  const starts = startsOf(values, order);
  const least = starts[0]!;
  let largest = 0;
  for (let i = 0; i < rest.length; i++) {
    const value = values[i + order]!;
    const left =
      order === 0 ? value - least : zigzag(order === 1 ? value - values[i]! : value - 2 * values[i + 1]! + values[i]!);
    rest[i] = left;
    if (left > largest) largest = left;
  }
  const width = largest === 0 ? 0 : Math.ceil(Math.log2(largest + 1) / 8);
  return { order, starts, rest, width, bits: bitsOf(rest, width) };
}

function startsOf(values: Float64Array, order: Order): number[] {
  if (order === 1) return [values[0]!];
  if (order === 2) return [values[0]!, values[1]! - values[0]!];
  let least = values[0] ?? 0;
  for (let i = 0; i < values.length; i++) if (values[i]! < least) least = values[i]!;
  return [least];
}

/** What an ideal coder of single bytes would need. */
function bitsOf(rest: Float64Array, width: number): number {
  let bits = 0;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    const counts = new Uint32Array(256);
    if (width <= 3) for (let i = 0; i < rest.length; i++) counts[(rest[i]! >> (8 * plane)) & 255]!++;
    else for (let i = 0; i < rest.length; i++) counts[Math.floor(rest[i]! / scale) % 256]!++;
    for (let i = 0; i < 256; i++) if (counts[i]! > 0) bits += 4 + counts[i]! * Math.log2(rest.length / counts[i]!);
  }
  return bits;
}

function readPlanes(from: ByteReader, values: Float64Array, offset: number, width: number): void {
  const size = values.length - offset;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    const bytes = from.block(size);
    if (plane === 0) for (let i = 0; i < size; i++) values[i + offset] = bytes[i]!;
    else for (let i = 0; i < size; i++) values[i + offset]! += bytes[i]! * scale;
  }
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
