import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { isCrowded } from './crowded.ts';

const yearMs = 365 * 24 * hourMs;
const widthPx = 1000;
const apartMs = (seenMs: number): number => (8 * seenMs) / widthPx;
const hoursFrom = (ms: number, count: number): number[] => Array.from({ length: count }, (_, i) => ms + i * hourMs);

for (const { says, x, seenMs, crowded } of [
  { says: 'the hours of two days in a year', x: hoursFrom(0, 48), seenMs: yearMs, crowded: true },
  {
    says: 'the hours of its first day and of its last',
    x: [...hoursFrom(0, 24), ...hoursFrom(yearMs - 24 * hourMs, 24)],
    seenMs: yearMs,
    crowded: true,
  },
  { says: 'the hours of two days in these', x: hoursFrom(0, 48), seenMs: 48 * hourMs, crowded: false },
  { says: 'a single hour', x: [0], seenMs: yearMs, crowded: false },
]) {
  test(`${says} are ${crowded ? '' : 'not '}crowded`, () =>
    assert.equal(isCrowded(x, 0, x.length - 1, apartMs(seenMs)), crowded));
}

test('rows that are not seen crowd nobody', () => {
  assert.equal(isCrowded([0, 1, 2, 1000, 2000, 2001], 3, 4, 10), false);
});
