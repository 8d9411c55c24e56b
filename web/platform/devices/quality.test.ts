import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qualityOf } from './quality.ts';

const nowMs = Date.UTC(2026, 10, 18);
const recent = nowMs - 1000;
const old = nowMs - 3_600_000;

for (const { says, state, seenMs, isOnline, quality } of [
  { says: 'a device with recent data', state: 'active', seenMs: recent, isOnline: true, quality: 'live' },
  {
    says: 'one with recent data before its gateway is known',
    state: 'active',
    seenMs: recent,
    isOnline: undefined,
    quality: 'live',
  },
  { says: 'one without recent data', state: 'active', seenMs: old, isOnline: true, quality: 'silent' },
  { says: 'one whose gateway is offline', state: 'active', seenMs: old, isOnline: false, quality: 'away' },
  { says: 'one that was just added', state: 'pending', seenMs: undefined, isOnline: true, quality: 'waiting' },
  { says: 'one added to an offline gateway', state: 'pending', seenMs: undefined, isOnline: false, quality: 'away' },
  {
    says: 'an orphaned one, even with recent data,',
    state: 'orphaned',
    seenMs: recent,
    isOnline: true,
    quality: 'orphaned',
  },
] as const) {
  test(`${says} is ${quality}`, () => assert.equal(qualityOf(state, seenMs, isOnline, nowMs), quality));
}
