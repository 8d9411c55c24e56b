import type { ByteReader, ByteWriter } from './bytes.ts';

/** Integers up to this size can be taken from one another and differenced twice, and still be exact. */
export const largestInteger = 2 ** 48;

// How a series is told: by its distance from its least value, by its steps, or by the changes of its steps.
const orders = [0, 1, 2] as const;
type Order = (typeof orders)[number];

export type Told = { values: Float64Array; order: Order; width: number; bits: number };

/** A series in the order that leaves the least to tell. */
export function tellIntegers(values: Float64Array): Told {
  let best: Told | undefined;
  for (const order of orders) {
    if (best && (values.length <= order || best.bits === 0)) break;
    const width = widthOf(difference(values, order));
    const bits = bitsOf(values.length - order, width);
    if (!best || bits < best.bits) best = { values, order, width, bits };
  }
  return best!;
}

/** Bytes by significance: the lowest of all values first. */
export function writeTold(to: ByteWriter, { values, order, width }: Told): void {
  to.integer(order + width * 4);
  to.integer(zigzag(order === 0 ? leastOf(values) : values[0]!));
  if (order === 2) to.integer(zigzag(values[1]! - values[0]!));
  if (width === 0) return;
  difference(values, order);
  const size = values.length - order;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    const room = to.room(size);
    if (width <= 3) for (let i = 0; i < size; i++) room[i] = left[i]! >> (8 * plane);
    else for (let i = 0; i < size; i++) room[i] = Math.floor(left[i]! / scale) % 256;
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
  const planes = from.block(width * (length - order));
  if (width > 2) joinPlanes(planes, values, order, width);
  else joinNarrow(planes, values, order, width);
  if (order === 0) for (let i = 0; i < length; i++) values[i]! += first;
  else addSteps(values, order, first, step);
  return values;
}

/** Of two bytes at most, which is most of them: in one go. */
function joinNarrow(planes: Uint8Array, values: Float64Array, order: number, width: number): void {
  const size = values.length - order;
  for (let i = 0; i < size; i++) {
    const rest = width === 0 ? 0 : width === 1 ? planes[i]! : planes[i]! | (planes[size + i]! << 8);
    values[i + order] = order === 0 ? rest : (rest >>> 1) ^ -(rest & 1);
  }
}

function joinPlanes(planes: Uint8Array, values: Float64Array, order: number, width: number): void {
  const size = values.length - order;
  for (let i = 0; i < size; i++) {
    let rest = 0;
    for (let plane = width - 1; plane >= 0; plane--) rest = rest * 256 + planes[plane * size + i]!;
    values[i + order] = order === 0 ? rest : unzigzag(rest);
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

// What the last difference left to tell. One for all: columns are many and short, and memory for each would cost more than the rest.
let left = new Float64Array(1024);

/** Leaves what an order leaves to tell of each value, and returns the largest. */
function difference(values: Float64Array, order: Order): number {
  const size = values.length - order;
  if (left.length < size) left = new Float64Array(size * 2);
  const rests = left;
  const least = order === 0 ? leastOf(values) : 0;
  let largest = 0;
  for (let i = 0; i < size; i++) {
    const value = values[i + order]!;
    let rest: number;
    if (order === 0) rest = value - least;
    else rest = zigzag(order === 1 ? value - values[i]! : value - 2 * values[i + 1]! + values[i]!);
    rests[i] = rest;
    if (rest > largest) largest = rest;
  }
  return largest;
}

function leastOf(values: Float64Array): number {
  let least = values[0] ?? 0;
  for (let i = 1; i < values.length; i++) if (values[i]! < least) least = values[i]!;
  return least;
}

function widthOf(largest: number): number {
  let width = 0;
  for (let rest = largest; rest >= 1; rest /= 256) width++;
  return width;
}

const counts = new Uint32Array(256);
const logarithms = Float64Array.from({ length: 1024 }, (_, count) => Math.log2(count));

/** What an ideal coder of single bytes would need for what is left. */
function bitsOf(size: number, width: number): number {
  let bits = 0;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    if (width <= 3) for (let i = 0; i < size; i++) counts[(left[i]! >> (8 * plane)) & 255]!++;
    else for (let i = 0; i < size; i++) counts[Math.floor(left[i]! / scale) % 256]!++;
    const whole = Math.log2(size);
    for (let byte = 0; byte < 256; byte++) {
      const count = counts[byte]!;
      if (count === 0) continue;
      bits += 4 + count * (whole - (count < 1024 ? logarithms[count]! : Math.log2(count)));
      counts[byte] = 0;
    }
  }
  return bits;
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
