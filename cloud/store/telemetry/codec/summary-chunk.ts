import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter, isFieldName } from '#contract/telemetry.ts';
import { maxChunkFields, maxDayCells, valueAt } from '../readings.ts';
import type { FieldSummaries, Spread, Summaries } from '../summaries.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readIntegers, writeIntegers } from './integers.ts';
import {
  asFloats,
  digitsOf,
  readFloats,
  readNumbers,
  readPresence,
  toIntegers,
  writeFloats,
  writeNumbers,
  writePresence,
} from './numbers.ts';

const columnsOfSpread = 5;
const version = 1; // the first byte

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
  return Buffer.concat([Uint8Array.of(version), zstdCompressSync(to.done())]);
}

export function decodeSummaries(body: Uint8Array, only?: ReadonlySet<string>): Summaries {
  if (body[0] !== version) throw new RangeError(`Rollups of version ${body[0]} cannot be read.`);
  const from = new ByteReader(zstdDecompressSync(body.subarray(1)));
  const length = from.integer();
  const start = readIntegers(from, length);
  const fields = new Map<string, FieldSummaries>();
  const maxFields = Math.min(maxChunkFields, Math.floor(maxDayCells / (length * columnsOfSpread || 1)));
  for (let left = from.integer(); left > 0; left--) {
    const name = from.string();
    const size = from.integer();
    const isTooMany = fields.size >= maxFields && !isFieldName(name);
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
    min === spread.min ? column : column.filter((_, i) => !Number.isNaN(spread.min[i]));
  const [count, sum, max] = [present(spread.count), present(spread.sum), present(spread.max)];
  const digits = digitsOf(sum, min, max);
  to.integer(digits ?? asFloats);
  writeIntegers(to, count);
  if (digits === undefined) {
    for (const column of [sum, min, max]) writeFloats(to, column);
    return;
  }
  // The rounded mean varies; sum, minimum and maximum are stored relative to it and stay small.
  const sums = toIntegers(sum, digits);
  const mean = sums.map((total, i) => Math.round(total / valueAt(count, i)));
  const minusMean = (column: Float64Array): Float64Array => column.map((value, i) => value - valueAt(mean, i));
  writeIntegers(to, mean);
  writeIntegers(
    to,
    sums.map((total, i) => total - valueAt(mean, i) * valueAt(count, i)),
  );
  writeIntegers(to, minusMean(toIntegers(min, digits)));
  writeIntegers(to, minusMean(toIntegers(max, digits)));
}

function readSpread(from: ByteReader, length: number): Spread {
  const { count: present, spread } = readPresence(from, length);
  const digits = from.integer();
  const all = new Float64Array(columnsOfSpread * present); // one allocation is much faster than five
  const column = (n: number): Float64Array => all.subarray(n * present, (n + 1) * present);
  const [count, sum, min, max] = [column(0), column(1), column(2), column(3)];
  readIntegers(from, present, count);
  if (digits === asFloats) for (const floats of [sum, min, max]) floats.set(readFloats(from, present));
  else {
    const mean = readIntegers(from, present, column(4));
    for (const integers of [sum, min, max]) readIntegers(from, present, integers);
    addMean({ count, sum, min, max }, mean, 10 ** digits);
  }
  if (present === length) return { count, sum, min, max };
  return { count: spread(count), sum: spread(sum), min: spread(min), max: spread(max) };
}

function addMean({ count, sum, min, max }: Spread, mean: Float64Array, power: number): void {
  for (const [i, middle] of mean.entries()) {
    sum[i] = (valueAt(sum, i) + middle * valueAt(count, i)) / power;
    min[i] = (valueAt(min, i) + middle) / power;
    max[i] = (valueAt(max, i) + middle) / power;
  }
}
