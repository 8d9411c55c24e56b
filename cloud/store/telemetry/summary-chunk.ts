import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter } from '#contract/telemetry.ts';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { digitsOf, fromIntegers, toIntegers } from './columns/decimals.ts';
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
  for (const [name, field] of fields) {
    const columns = new ByteWriter();
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
    const columns = new ByteReader(from.block(from.integer()));
    if (only && !only.has(name)) continue;
    fields.set(name, isCounter(name) ? { last: readNumbers(columns, length) } : readSpread(columns, length));
  }
  return { start, fields };
}

type Spread = NonNullable<FieldSummaries['spread']>;

function writeSpread(to: ByteWriter, last: Float64Array, spread: Spread): void {
  const lasts = writePresence(to, last);
  const present = (column: Float64Array): Float64Array => column.filter((_, i) => !Number.isNaN(last[i]!));
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
  const center = sums.map((value, i) => Math.round(value / count[i]!));
  writeIntegers(to, center);
  writeIntegers(
    to,
    sums.map((value, i) => value - center[i]! * count[i]!),
  );
  for (const column of [min, max, lasts]) {
    writeIntegers(
      to,
      toIntegers(column, digits).map((value, i) => value - center[i]!),
    );
  }
}

function readSpread(from: ByteReader, length: number): FieldSummaries {
  const { count: present, spread } = readPresence(from, length);
  const digits = from.integer();
  const count = readIntegers(from, present);
  const columns =
    digits === asFloats ? [0, 1, 2, 3].map(() => readFloats(from, present)) : readIntegerSpread(from, count, digits);
  const [sum, min, max, last] = columns.map(spread) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const counts = present === length ? count : spread(count).map((value) => (Number.isNaN(value) ? 0 : value));
  return { last, spread: { count: counts, sum, min, max } };
}

function readIntegerSpread(from: ByteReader, count: Float64Array, digits: number): Float64Array[] {
  const center = readIntegers(from, count.length);
  const sum = readIntegers(from, count.length);
  for (let i = 0; i < sum.length; i++) sum[i]! += center[i]! * count[i]!;
  const rest = [0, 1, 2].map(() => {
    const column = readIntegers(from, count.length);
    for (let i = 0; i < column.length; i++) column[i]! += center[i]!;
    return column;
  });
  return [sum, ...rest].map((column) => fromIntegers(column, digits));
}
