import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStaleAt, recentMs, tellsOfNow } from './freshness.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

for (const { ageMs, isStale, ofNow } of [
  { ageMs: -5000, isStale: false, ofNow: true },
  { ageMs: 60_000, isStale: false, ofNow: true },
  { ageMs: 60_001, isStale: true, ofNow: true },
  { ageMs: 299_999, isStale: true, ofNow: true },
  { ageMs: 300_000, isStale: true, ofNow: false },
]) {
  test(`a reading of ${ageMs} ms is ${isStale ? '' : 'not '}stale and tells ${ofNow ? 'of now' : 'nothing of now'}`, () => {
    assert.deepEqual([isStaleAt(now - ageMs, now), tellsOfNow(now - ageMs, now)], [isStale, ofNow]);
  });
}

test('what was never heard is stale', () => assert.ok(isStaleAt(undefined, now)));

test('a reading is recent for a quarter of an hour', () => assert.equal(recentMs, 900_000));
