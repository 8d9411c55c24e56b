import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter, isFieldName } from '#contract/telemetry.ts';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { digitsOf, toIntegers } from './columns/decimals.ts';
import { readFloats, writeFloats } from './columns/floats.ts';
import { readIntegers, writeIntegers } from './columns/integers.ts';
import { readNumbers, writeNumbers } from './columns/numbers.ts';
import { readPresence, writePresence } from './columns/presence.ts';
import { maxChunkFields, maxDayCells } from './limits.ts';
import type { FieldSummaries, Spread, Summaries } from './summaries.ts';

const asFloats = 15; // where the number of digits stands
const columnsOfSpread = 5;
const form = 1; // the first byte, by which another form could be told

export function encodeSummaries({ start, fields }: Summaries): Uint8Array {
  const to = new ByteWriter();
  to.integer(start.length);
  writeIntegers(to, start);
  to.integer(fields.size);
  const columns = new ByteWriter();
  for (const [name, { last, spread }] of fields) {
    columns.clear();
    if (spread) writeSpread(columns, spread);
    else writeNumbers(columns, last);
    to.string(name);
    to.integer(columns.done().length);
    to.block(columns.done());
  }
  return Buffer.concat([Uint8Array.of(form), zstdCompressSync(to.done())]);
}

export function decodeSummaries(body: Uint8Array, only?: ReadonlySet<string>): Summaries {
  const from = new ByteReader(zstdDecompressSync(body.subarray(1)));
  const length = from.integer();
  const start = readIntegers(from, length);
  const fields = new Map<string, FieldSummaries>();
  const most = Math.min(maxChunkFields, Math.floor(maxDayCells / (length * columnsOfSpread || 1)));
  for (let left = from.integer(); left > 0; left--) {
    const name = from.string();
    const size = from.integer();
    const isTooMany = fields.size >= most && !isFieldName(name);
    if (isTooMany || (only && !only.has(name))) {
      from.skip(size);
      continue;
    }
    const columns = new ByteReader(from.block(size));
    fields.set(
      name,
      isCounter(name) ? { last: readNumbers(columns, length) } : { spread: readSpread(columns, length) },
    );
  }
  return { start, fields };
}

function writeSpread(to: ByteWriter, spread: Spread): void {
  const min = writePresence(to, spread.min);
  const present = (column: Float64Array): Float64Array =>
    min === spread.min ? column : column.filter((_, i) => !Number.isNaN(spread.min[i]!));
  const [count, sum, max] = [present(spread.count), present(spread.sum), present(spread.max)];
  const digits = digitsOf(sum, min, max);
  to.integer(digits ?? asFloats);
  writeIntegers(to, count);
  if (digits === undefined) {
    for (const column of [sum, min, max]) writeFloats(to, column);
    return;
  }
  // The mean in whole steps goes its way; the rest stays near it.
  const sums = toIntegers(sum, digits);
  const center = new Float64Array(sums.length);
  for (let i = 0; i < sums.length; i++) {
    center[i] = Math.round(sums[i]! / count[i]!);
    sums[i]! -= center[i]! * count[i]!;
  }
  writeIntegers(to, center);
  writeIntegers(to, sums);
  for (const column of [min, max]) {
    const integers = toIntegers(column, digits);
    for (let i = 0; i < integers.length; i++) integers[i]! -= center[i]!;
    writeIntegers(to, integers);
  }
}

function readSpread(from: ByteReader, length: number): Spread {
  const { count: present, spread } = readPresence(from, length);
  const digits = from.integer();
  const all = new Float64Array(5 * present); // one buffer is much quicker to come by than five
  const columns = [0, 1, 2, 3, 4].map((n) => all.subarray(n * present, (n + 1) * present)) as SpreadColumns;
  const [count, sum, min, max] = columns;
  readIntegers(from, present, count);
  if (digits === asFloats) for (const column of [sum, min, max]) column.set(readFloats(from, present));
  else readIntegerSpread(from, columns, 10 ** digits);
  if (present === length) return { count, sum, min, max };
  const counts = spread(count).map((value) => (Number.isNaN(value) ? 0 : value));
  return { count: counts, sum: spread(sum), min: spread(min), max: spread(max) };
}

type SpreadColumns = [
  count: Float64Array,
  sum: Float64Array,
  min: Float64Array,
  max: Float64Array,
  center: Float64Array,
];

function readIntegerSpread(from: ByteReader, columns: SpreadColumns, power: number): void {
  const [count, sum, min, max, center] = columns;
  for (const column of [center, sum, min, max]) readIntegers(from, count.length, column);
  for (let i = 0; i < count.length; i++) {
    const middle = center[i]!;
    sum[i] = (sum[i]! + middle * count[i]!) / power;
    min[i] = (min[i]! + middle) / power;
    max[i] = (max[i]! + middle) / power;
  }
}
