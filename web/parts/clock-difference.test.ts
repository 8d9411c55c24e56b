import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockDifference } from './clock-difference.ts';

const ours = Date.parse('2026-11-16T12:00:00.700Z');
const minutes = 60_000;

for (const { says, date, believed = 0, difference } of [
  { says: 'of less than the header can tell is none', date: 'Mon, 16 Nov 2026 12:00:00 GMT', difference: 0 },
  { says: 'is told by the header', date: 'Mon, 16 Nov 2026 11:54:00 GMT', difference: -6 * minutes - 700 },
  {
    says: 'stays while it fits',
    date: 'Mon, 16 Nov 2026 11:54:01 GMT',
    believed: -6 * minutes,
    difference: -6 * minutes,
  },
  { says: 'ends when a clock is set', date: 'Mon, 16 Nov 2026 12:00:00 GMT', believed: -6 * minutes, difference: 0 },
  { says: 'stays when an answer has no date', date: null, believed: 5000, difference: 5000 },
])
  test(`a difference of clocks ${says}`, () => assert.equal(clockDifference(date, ours, believed), difference));
