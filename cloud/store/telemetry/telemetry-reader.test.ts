import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Summaries } from './summaries.ts';
import { DecodedSummaries } from './telemetry-reader.ts';

const bodyOf = (text: string): Uint8Array => Buffer.from(text);
const summariesOf = (rows: number): Summaries => ({
  start: new Float64Array(rows),
  fields: new Map([['total_import_Wh', { last: new Float64Array(rows) }]]),
});

/** Asks for a chunk, and says whether it had to be decoded. */
function asks(decoded: DecodedSummaries, key: string, body: string, rows = 1): boolean {
  let isDecoded = false;
  decoded.get(key, bodyOf(body), () => {
    isDecoded = true;
    return summariesOf(rows);
  });
  return isDecoded;
}

test('a chunk is decoded once, and again when it was written anew', () => {
  const decoded = new DecodedSummaries();
  assert.deepEqual(
    ['as it was', 'as it was', 'with more', 'with more', 'as it was'].map((body) => asks(decoded, 'a', body)),
    [true, false, true, false, true],
  );
});

test('what was asked for longest ago makes room, and what is too large is not kept', () => {
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

// In a process of its own, whose memory nobody else takes or gives back.
const filling = `
  import { DecodedSummaries } from '#cloud/store/telemetry/telemetry-reader.ts';
  const maxBytes = 16 * 1024 * 1024;
  const decoded = new DecodedSummaries(maxBytes);
  const hour = () => new Float64Array(60).fill(1);
  const spread = () => ({ count: hour(), sum: hour(), min: hour(), max: hour() });
  const keep = (key) => {
    const fields = new Map(['W', 'V', 'A', 'Hz'].map((name) => [name, { spread: spread() }]));
    let isKnown = true;
    decoded.get(String(key), new Uint8Array(1), () => {
      isKnown = false;
      return { start: hour(), fields };
    });
    return isKnown;
  };
  const before = process.memoryUsage.rss();
  for (let key = 0; key < 500; key++) keep(key);
  const bytesOfOne = (process.memoryUsage.rss() - before) / 500;
  for (let key = 500; key < 3000; key++) keep(key);
  let kept = 0;
  while (keep(2999 - kept)) kept++;
  console.log((kept * bytesOfOne) / maxBytes);
`;

test('what is kept takes about the memory that it is bounded by', () => {
  const share = Number(execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', filling]));
  assert.ok(share > 0.7 && share < 1.4, `${share} of it`);
});
