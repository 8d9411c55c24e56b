import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { ByteReader } from './bytes.ts';
import { decodeReadings, encodeReadings } from './reading-chunk.ts';

/** Three readings, five seconds apart; the second has no state of charge. */
const readings = {
  at: Float64Array.of(1_777_852_800_000, 1_777_852_805_000, 1_777_852_810_000),
  fields: new Map([
    ['W', Float64Array.of(-1500, -1490, -1512)],
    ['SoC_nom_fract', Float64Array.of(0.5, Number.NaN, 0.51)],
  ]),
};

test('the worked example of docs/telemetry-format.md is what the codec writes', () => {
  const hex = zstdDecompressSync(encodeReadings(readings)).toString('hex');
  const page = readFileSync(new URL('../../../../docs/telemetry-format.md', import.meta.url), 'utf8');
  const example = page.slice(page.indexOf('## Worked example'));
  const bytes = Array.from(example.matchAll(/^\| `([0-9a-f ]+)` \|/gm), ([, cells = '']) => cells.replaceAll(' ', ''));
  assert.equal(bytes.join(''), hex);
});

test('a truncated chunk is refused instead of read on', () => {
  const whole = zstdDecompressSync(encodeReadings(readings));
  const reader = new ByteReader(whole.subarray(0, 1));
  reader.integer();
  assert.throws(() => reader.integer(), RangeError);
  assert.throws(() => reader.block(1), RangeError);
});

test('readings that are not in order, and columns of another length, are not encoded', () => {
  const twice = { at: Float64Array.of(1000, 1000), fields: new Map() };
  assert.throws(() => encodeReadings(twice), RangeError);
  const short = { at: Float64Array.of(1000, 2000), fields: new Map([['W', Float64Array.of(1)]]) };
  assert.throws(() => encodeReadings(short), RangeError);
  assert.deepEqual(decodeReadings(encodeReadings(readings)).fields, readings.fields);
});
