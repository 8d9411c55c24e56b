import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatTime, isCurrentAt, isStaleAt, parseTime, recentMs } from './time.ts';

const instant = Date.UTC(2026, 0, 10, 8, 30);

suite('an instant', () => {
  for (const text of [
    '2026-01-10T08:30:00Z',
    '2026-01-10t08:30:00.000z',
    '2026-01-10 08:30:00Z',
    '2026-01-10T09:30:00+01:00',
    '2026-01-10T09:30:00 01:00', // from a query in which + was not escaped
    '2026-01-10T03:00:00-05:30',
    `${instant}`,
    `${instant / 1000}`,
    `${instant / 1000}.000499999`,
  ]) {
    test(`may be written ${text}`, () => assert.equal(parseTime(text), instant));
  }

  for (const text of [
    '',
    'now',
    '2026-01-10',
    '2026-01-10T08:30:00', // of which zone?
    '2026-02-30T08:30:00Z',
    '2026-01-10T25:30:00Z',
    '2026-01-10T08:30:00  01:00',
    '-5',
    '9999-12-31T23:59:59-01:00', // years have four digits
    '0000-01-01T00:59:59+01:00',
    '253402300800000',
    '999999999999999',
  ]) {
    test(`cannot be written ${text || 'as an empty text'}`, () => assert.equal(parseTime(text), undefined));
  }

  for (const text of ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
    test(`is formatted as it was parsed: ${text}`, () => assert.equal(formatTime(parseTime(text)!), text));
  }
});

const now = Date.parse('2026-06-01T12:00:00Z');

for (const { ageMs, isStale, ofNow } of [
  { ageMs: -5000, isStale: false, ofNow: true },
  { ageMs: 60_000, isStale: false, ofNow: true },
  { ageMs: 60_001, isStale: true, ofNow: true },
  { ageMs: 299_999, isStale: true, ofNow: true },
  { ageMs: 300_000, isStale: true, ofNow: false },
]) {
  test(`a reading of ${ageMs} ms is ${isStale ? '' : 'not '}stale and ${ofNow ? '' : 'not '}current`, () => {
    assert.deepEqual([isStaleAt(now - ageMs, now), isCurrentAt(now - ageMs, now)], [isStale, ofNow]);
  });
}

test('a missing reading is stale', () => assert.ok(isStaleAt(undefined, now)));

test('a reading is recent for a quarter of an hour', () => assert.equal(recentMs, 900_000));
