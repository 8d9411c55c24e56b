import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter } from '#contract/telemetry.ts';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { digitsOf, toIntegers } from './columns/decimals.ts';
import { readFloats, writeFloats } from './columns/floats.ts';
import { readIntegers, writeIntegers } from './columns/integers.ts';
import { readNumbers, writeNumbers } from './columns/numbers.ts';
import { readPresence, writePresence } from './columns/presence.ts';
import type { FieldSummaries, Summaries } from './summaries.ts';

const asFloats = 15; // where the number of digits stands

export function encodeSummaries({ start, fields }: Summaries): Uint8Array {
  const to = new ByteWriter();
  to.integer(start.length);
  writeIntegers(to, start);
  to.integer(fields.size);
  const columns = new ByteWriter();
  for (const [name, field] of fields) {
    columns.clear();
    if (field.spread) writeSpread(columns, field.last, field.spread);
    else writeNumbers(columns, field.last);
    to.string(name);
    to.integer(columns.done().length);
    to.block(columns.done());
  }
  return zstdCompressSync(to.done());
}

export function decodeSummaries(body: Uint8Array, only?: ReadonlySet<string>): Summaries {
  const from = new ByteReader(zstdDecompressSync(body));
  const length = from.integer();
  const start = readIntegers(from, length);
  const fields = new Map<string, FieldSummaries>();
  for (let left = from.integer(); left > 0; left--) {
    const name = from.string();
    const size = from.integer();
    if (only && !only.has(name)) {
      from.skip(size);
      continue;
    }
    const columns = new ByteReader(from.block(size));
    fields.set(name, isCounter(name) ? { last: readNumbers(columns, length) } : readSpread(columns, length));
  }
  return { start, fields };
}

type Spread = NonNullable<FieldSummaries['spread']>;

function writeSpread(to: ByteWriter, last: Float64Array, spread: Spread): void {
  const lasts = writePresence(to, last);
  const present = (column: Float64Array): Float64Array =>
    lasts === last ? column : column.filter((_, i) => !Number.isNaN(last[i]!));
  const [count, sum, min, max] = [spread.count, spread.sum, spread.min, spread.max].map(present) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const digits = digitsOf(sum, min, max, lasts);
  to.integer(digits ?? asFloats);
  writeIntegers(to, count);
  if (digits === undefined) {
    for (const column of [sum, min, max, lasts]) writeFloats(to, column);
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
  for (const column of [min, max, lasts]) {
    const integers = toIntegers(column, digits);
    for (let i = 0; i < integers.length; i++) integers[i]! -= center[i]!;
    writeIntegers(to, integers);
  }
}

function readSpread(from: ByteReader, length: number): FieldSummaries {
  const { count: present, spread } = readPresence(from, length);
  const digits = from.integer();
  const all = new Float64Array(6 * present); // one buffer is much quicker to come by than six
  const columns = [0, 1, 2, 3, 4, 5].map((n) => all.subarray(n * present, (n + 1) * present)) as SpreadColumns;
  const [count, sum, min, max, last] = columns;
  readIntegers(from, present, count);
  if (digits === asFloats) for (const column of [sum, min, max, last]) column.set(readFloats(from, present));
  else readIntegerSpread(from, columns, 10 ** digits);
  if (present === length) return { last, spread: { count, sum, min, max } };
  const counts = spread(count).map((value) => (Number.isNaN(value) ? 0 : value));
  return { last: spread(last), spread: { count: counts, sum: spread(sum), min: spread(min), max: spread(max) } };
}

type SpreadColumns = [
  count: Float64Array,
  sum: Float64Array,
  min: Float64Array,
  max: Float64Array,
  last: Float64Array,
  center: Float64Array,
];

function readIntegerSpread(from: ByteReader, columns: SpreadColumns, power: number): void {
  const [count, sum, min, max, last, center] = columns;
  for (const column of [center, sum, min, max, last]) readIntegers(from, count.length, column);
  for (let i = 0; i < count.length; i++) {
    const middle = center[i]!;
    sum[i] = (sum[i]! + middle * count[i]!) / power;
    min[i] = (min[i]! + middle) / power;
    max[i] = (max[i]! + middle) / power;
    last[i] = (last[i]! + middle) / power;
  }
}
