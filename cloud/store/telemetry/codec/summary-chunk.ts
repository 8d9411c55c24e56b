import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter, isFieldName } from '#contract/telemetry.ts';
import { minuteRollups, type RollupLevel, sealedRollups } from '../levels.ts';
import { maxChunkFields, maxDayCells, type Readings, valueAt } from '../readings.ts';
import {
  fieldsOf,
  lastOf,
  putSpread,
  rollUp,
  type Spread,
  type Summaries,
  spreadOf,
  summarizeHour,
  summarizeHours,
} from '../summaries.ts';
import { type Chunk, tiers } from '../tables.ts';
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
import { decodeWithAfter, encodeReadings, holdsOnlyReadings, partOfHour, readingsBody } from './reading-chunk.ts';

const columnsOfSpread = 5;
const version = 1; // the first byte

export function encodeSummaries(summaries: Summaries): Uint8Array {
  const { at } = summaries;
  const names = fieldsOf([summaries]);
  const to = new ByteWriter();
  to.integer(at.length);
  writeIntegers(to, at);
  to.integer(names.length);
  const columns = new ByteWriter();
  for (const name of names) {
    const [last, spread] = [lastOf(summaries, name), spreadOf(summaries, name)];
    columns.clear();
    if (spread) writeSpread(columns, spread);
    if (last) writeNumbers(columns, last);
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
  const summaries: Summaries = { at: readIntegers(from, length), fields: new Map() };
  const maxFields = Math.min(maxChunkFields, Math.floor(maxDayCells / (length * columnsOfSpread || 1)));
  let read = 0;
  for (let left = from.integer(); left > 0; left--) {
    const name = from.string();
    const size = from.integer();
    const isTooMany = read >= maxFields && !isFieldName(name);
    if (isTooMany || (only && !only.has(name))) {
      from.skip(size);
      continue;
    }
    read++;
    const columns = new ByteReader(from.block(size));
    if (isCounter(name)) summaries.fields.set(`last ${name}`, readNumbers(columns, length));
    else putSpread(summaries, name, readSpread(columns, length));
  }
  return summaries;
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
  for (let i = 0; i < mean.length; i++) {
    const middle = mean[i]!;
    sum[i] = (sum[i]! + middle * count[i]!) / power;
    min[i] = (min[i]! + middle) / power;
    max[i] = (max[i]! + middle) / power;
  }
}

/** Encodes an hour whose day is not over: its readings, and their rollups at each level but minutes. */
export function encodeHour(readings: Readings, after: Readings): Uint8Array {
  const minutes = summarizeHour(readings, after);
  const rollups = sealedRollups.map(({ windowMs }) => encodeSummaries(rollUp(minutes, windowMs)));
  const to = new ByteWriter();
  for (const part of [encodeReadings(readings, after, 'little'), ...rollups]) {
    to.integer(part.length);
    to.block(part);
  }
  return to.done();
}

/** Returns the rollups of a chunk. Minutes are computed from its readings. */
export function decodeRollups(chunk: Chunk, level: RollupLevel, only?: ReadonlySet<string>): Summaries {
  if (chunk.tier === tiers.hour && level !== minuteRollups) {
    return decodeSummaries(partOfHour(chunk.body, 1 + sealedRollups.indexOf(level)), only);
  }
  if (chunk.tier !== tiers.hour && !holdsOnlyReadings(chunk.tier)) return decodeSummaries(chunk.body, only);
  const { readings, after } = decodeWithAfter(readingsBody(chunk), only);
  return summarizeHours(readings, after);
}
