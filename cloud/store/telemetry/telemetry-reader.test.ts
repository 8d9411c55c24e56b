import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Summaries } from './summaries.ts';
import { DecodedSummaries } from './telemetry-reader.ts';

const bodyOf = (text: string): Uint8Array => Buffer.from(text);
const summariesOf = (rows: number): Summaries => ({
  at: new Float64Array(rows),
  fields: new Map([['last total_import_Wh', new Float64Array(rows)]]),
});

/** Returns whether a chunk had to be decoded. */
function asks(decoded: DecodedSummaries, key: string, body: string, rows = 1): boolean {
  let isDecoded = false;
  decoded.get(key, bodyOf(body), () => {
    isDecoded = true;
    return summariesOf(rows);
  });
  return isDecoded;
}

test('a chunk is decoded once, and again after it was rewritten', () => {
  const decoded = new DecodedSummaries();
  assert.deepEqual(
    ['as it was', 'as it was', 'with more', 'with more', 'as it was'].map((body) => asks(decoded, 'a', body)),
    [true, false, true, false, true],
  );
});

test('the least recently used rollups are evicted, and rollups that are too large are not cached', () => {
  const decoded = new DecodedSummaries(7000); // three of two thousand bytes
  for (const key of ['a', 'b', 'c', 'a', 'd']) asks(decoded, key, key, 64);
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => asks(decoded, key, key, 64)),
    [false, false, false],
  );
  assert.equal(asks(decoded, 'b', 'b', 64), true);
  assert.deepEqual([asks(decoded, 'large', 'large', 1000), asks(decoded, 'large', 'large', 1000)], [true, true]);
  assert.equal(asks(decoded, 'b', 'b', 64), false);
});
