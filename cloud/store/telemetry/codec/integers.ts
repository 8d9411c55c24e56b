import type { ByteReader, ByteWriter } from './bytes.ts';

/** Integers up to this size can be subtracted from one another and differenced twice without rounding. */
export const largestInteger = 2 ** 48;

// The order of a column says what its residuals are: distances from the minimum, differences, or differences of differences.
const orders = [0, 1, 2] as const;
type Order = (typeof orders)[number];
const maxWidth = 7; // bytes of a residual: 53 bits

/** `bits` estimates the size after compression. */
export type EncodedIntegers = { values: Float64Array; order: Order; width: number; bits: number };

/** Chooses the order with the smallest residuals. */
export function encodeIntegers(values: Float64Array): EncodedIntegers {
  let best = encodeWithOrder(values, 0);
  for (const order of orders.slice(1)) {
    if (values.length <= order || best.bits === 0) break;
    const other = encodeWithOrder(values, order);
    if (other.bits < best.bits) best = other;
  }
  return best;
}

const tooLarge = (): RangeError => new RangeError('A column holds integers beyond 2^48.');

function encodeWithOrder(values: Float64Array, order: Order): EncodedIntegers {
  const largest = computeResiduals(values, order);
  if (largest > Number.MAX_SAFE_INTEGER) throw tooLarge();
  const width = widthOf(largest);
  return { values, order, width, bits: estimateBits(values.length - order, width) };
}

/** Writes residuals as planes of bytes: the lowest byte of every value first, then the next. */
export function writeEncoded(to: ByteWriter, { values, order, width }: EncodedIntegers): void {
  const [first = 0, second = 0] = values;
  to.integer(order + width * 4);
  to.integer(zigzag(order === 0 ? minOf(values) : first));
  if (order === 2) to.integer(zigzag(second - first));
  if (width === 0) return;
  computeResiduals(values, order);
  const size = values.length - order;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    const bytes = to.room(size);
    if (width <= 3) for (let i = 0; i < size; i++) bytes[i] = residuals[i]! >> (8 * plane);
    else for (let i = 0; i < size; i++) bytes[i] = Math.floor(residuals[i]! / scale) % 256;
  }
}

export const writeIntegers = (to: ByteWriter, values: Float64Array): void => writeEncoded(to, encodeIntegers(values));

/** Writes a column that is not compressed afterwards, in the order with the fewest bytes. */
export function writeUncompressed(to: ByteWriter, values: Float64Array): void {
  let best: EncodedIntegers | undefined;
  for (const order of orders) {
    if (values.length <= order && best) break;
    const largest = computeResiduals(values, order);
    if (largest > Number.MAX_SAFE_INTEGER) throw tooLarge();
    const width = widthOf(largest);
    if (!best || width < best.width) best = { values, order, width, bits: 8 * width * values.length };
    if (width === 0) break;
  }
  if (best) writeEncoded(to, best);
}

/** Reads a column of integers into `values`. */
export function readIntegers(
  from: ByteReader,
  length: number,
  values: Float64Array = new Float64Array(length),
): Float64Array {
  const head = from.integer();
  const order = head & 3;
  const width = head >> 2;
  if (order > 2 || width > maxWidth || length < order) throw new RangeError('The chunk has an invalid integer column.');
  const first = unzigzag(from.integer());
  const step = order === 2 ? unzigzag(from.integer()) : 0;
  if (width === 0 && order < 2) return values.fill(first);
  const planes = from.block(width * (length - order));
  if (width > 2) joinPlanes(planes, values, order, width);
  else joinNarrowPlanes(planes, values, order, width);
  if (order === 0) for (let i = 0; i < length; i++) values[i]! += first;
  else addDifferences(values, order, first, step);
  return values;
}

/** Joins at most two planes, the usual case, in one pass. */
function joinNarrowPlanes(planes: Uint8Array, values: Float64Array, order: number, width: number): void {
  const size = values.length - order;
  for (let i = 0; i < size; i++) {
    const residual = width === 0 ? 0 : width === 1 ? planes[i]! : planes[i]! | (planes[size + i]! << 8);
    values[i + order] = order === 0 ? residual : (residual >>> 1) ^ -(residual & 1);
  }
}

function joinPlanes(planes: Uint8Array, values: Float64Array, order: number, width: number): void {
  const size = values.length - order;
  for (let i = 0; i < size; i++) {
    let residual = 0;
    for (let plane = width - 1; plane >= 0; plane--) residual = residual * 256 + planes[plane * size + i]!;
    values[i + order] = order === 0 ? residual : unzigzag(residual);
  }
}

function addDifferences(values: Float64Array, order: number, first: number, firstStep: number): void {
  let value = first;
  values[0] = first;
  if (order === 1) {
    for (let i = 1; i < values.length; i++) {
      value += values[i]!;
      values[i] = value;
    }
    return;
  }
  let step = firstStep;
  value += step;
  values[1] = value;
  for (let i = 2; i < values.length; i++) {
    step += values[i]!;
    value += step;
    values[i] = value;
  }
}

// Shared by all columns: they are many and short, and allocating an array for each would dominate the cost.
let residuals = new Float64Array(1024);

/** Fills `residuals` and returns the largest. */
function computeResiduals(values: Float64Array, order: Order): number {
  const size = values.length - order;
  if (residuals.length < size) residuals = new Float64Array(size * 2);
  const written = residuals; // a local is faster in the loop
  const min = order === 0 ? minOf(values) : 0;
  let largest = 0;
  for (let i = 0; i < size; i++) {
    const value = values[i + order]!;
    let residual: number;
    if (order === 0) residual = value - min;
    else residual = zigzag(order === 1 ? value - values[i]! : value - 2 * values[i + 1]! + values[i]!);
    written[i] = residual;
    if (residual > largest) largest = residual;
  }
  return largest;
}

function minOf(values: Float64Array): number {
  let [min = 0] = values;
  for (let i = 1; i < values.length; i++) min = Math.min(min, values[i]!);
  return min;
}

function widthOf(largest: number): number {
  let width = 0;
  for (let rest = largest; rest >= 1; rest /= 256) width++;
  return width;
}

const counts = new Uint32Array(256);
const logarithms = Float64Array.from({ length: 1024 }, (_, count) => Math.log2(count));

/** Estimates what an ideal entropy coder of single bytes would need for the residuals. */
function estimateBits(size: number, width: number): number {
  let bits = 0;
  for (let plane = 0, scale = 1; plane < width; plane++, scale *= 256) {
    if (width <= 3) for (let i = 0; i < size; i++) counts[(residuals[i]! >> (8 * plane)) & 255]!++;
    else for (let i = 0; i < size; i++) counts[Math.floor(residuals[i]! / scale) % 256]!++;
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

const tickMs = 100; // devices are read at intervals that are multiples of this

/** Writes ascending instants: as multiples of the usual interval and deviations from it, where that is smaller. */
export function writeInstants(to: ByteWriter, at: Float64Array): void {
  const plain = encodeIntegers(at);
  const interval = usualInterval(at);
  if (interval > 0) {
    const multiples = new Float64Array(at.length);
    const deviations = new Float64Array(at.length);
    for (let i = 0; i < at.length; i++) {
      const instant = at[i]!;
      const multiple = Math.round(instant / interval);
      multiples[i] = multiple;
      deviations[i] = instant - multiple * interval;
    }
    const parts = [encodeIntegers(multiples), encodeIntegers(deviations)];
    if (parts.reduce((bits, part) => bits + part.bits, 0) < plain.bits) {
      to.integer(interval);
      for (const part of parts) writeEncoded(to, part);
      return;
    }
  }
  to.integer(0);
  writeEncoded(to, plain);
}

export function readInstants(from: ByteReader, length: number): Float64Array {
  const interval = from.integer();
  const at = readIntegers(from, length);
  if (interval === 0) return at;
  const deviations = readIntegers(from, length);
  for (let i = 0; i < length; i++) at[i] = at[i]! * interval + deviations[i]!;
  return at;
}

/** Returns the median interval, rounded to ticks. */
function usualInterval(at: Float64Array): number {
  if (at.length < 3) return 0;
  const steps = at.slice(1).map((instant, i) => instant - (at[i] ?? instant));
  const [median = 0] = steps.sort().subarray(steps.length >> 1);
  return Math.round(median / tickMs) * tickMs;
}
