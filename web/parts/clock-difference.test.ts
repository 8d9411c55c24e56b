import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockDifference } from './clock-difference.ts';

const browserMs = Date.parse('2026-11-16T12:00:00.700Z');
const minutes = 60_000;

for (const { says, date, known = 0, difference } of [
  {
    says: 'is zero when it is smaller than the precision of the header',
    date: 'Mon, 16 Nov 2026 12:00:00 GMT',
    difference: 0,
  },
  { says: 'is read from the header', date: 'Mon, 16 Nov 2026 11:54:00 GMT', difference: -6 * minutes - 700 },
  {
    says: 'stays while the header is close to it',
    date: 'Mon, 16 Nov 2026 11:54:01 GMT',
    known: -6 * minutes,
    difference: -6 * minutes,
  },
  {
    says: 'becomes zero when a clock is set',
    date: 'Mon, 16 Nov 2026 12:00:00 GMT',
    known: -6 * minutes,
    difference: 0,
  },
  { says: 'stays when a response has no date', date: null, known: 5000, difference: 5000 },
])
  test(`a clock difference ${says}`, () => assert.equal(clockDifference(date, browserMs, known), difference));
