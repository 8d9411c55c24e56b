import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayPeriod, earlier, monthPeriod, periodOf } from './period.ts';

const zone = 'Europe/Stockholm';
const at = Date.parse('2026-11-18T20:52:00Z'); // 21:52 in Stockholm

for (const { asked, from, isRunning } of [
  { asked: '', from: '2026-11-01', isRunning: true },
  { asked: 'month=2026-10', from: '2026-10-01', isRunning: false },
  { asked: 'month=2027-01', from: '2026-11-01', isRunning: true },
  { asked: 'month=2026-13', from: '2026-11-01', isRunning: true },
  { asked: 'day=2026-11-17', from: '2026-11-17', isRunning: false },
  { asked: 'day=2026-11-18', from: '2026-11-18', isRunning: true },
  { asked: 'day=2026-11-19', from: '2026-11-01', isRunning: true },
]) {
  test(`the bill of the address ?${asked} begins on ${from}`, () => {
    const period = periodOf(new URLSearchParams(asked), at, zone);
    assert.deepEqual([period.from, period.isRunning], [from, isRunning]);
  });
}

test('the bill of today ends with the last complete quarter of an hour', () => {
  const today = dayPeriod('2026-11-18', at, zone)!;
  assert.deepEqual(today.query, { from: '2026-11-17T23:00:00.000Z', to: '2026-11-18T20:45:00.000Z' });
  assert.equal(dayPeriod('2026-11-19', Date.parse('2026-11-18T23:15:30Z'), zone), undefined); // not stored yet
});

const span = (from: string, to: string) => ({ from: `${from}:00.000Z`, to: `${to}:00.000Z` });

for (const { says, period, nowMs = at, back, query } of [
  { says: 'a past month, the month before', period: 'month=2026-10', back: 'before', query: { month: '2026-09' } },
  { says: 'a past month, a year before', period: 'month=2026-10', back: 'yearBefore', query: { month: '2025-10' } },
  {
    says: 'the running month, the same part of the month before, by local time',
    period: '',
    back: 'before',
    query: span('2026-09-30T22:00', '2026-10-18T19:45'),
  },
  {
    says: 'the end of March, the whole February',
    period: '',
    nowMs: Date.parse('2026-03-31T12:00:00Z'),
    back: 'before',
    query: span('2026-01-31T23:00', '2026-02-28T23:00'),
  },
  {
    says: 'today, yesterday until the same time',
    period: 'day=2026-11-18',
    back: 'before',
    query: span('2026-11-16T23:00', '2026-11-17T20:45'),
  },
  {
    says: 'the day after a clock change, the same time of day',
    period: 'day=2026-10-26',
    nowMs: Date.parse('2026-10-26T11:01:00Z'),
    back: 'before',
    query: span('2026-10-24T22:00', '2026-10-25T11:00'),
  },
  {
    says: 'a past day, the same weekday of last year',
    period: 'day=2026-11-17',
    back: 'yearBefore',
    query: { from: '2025-11-18', to: '2025-11-19' },
  },
] as const) {
  test(`compared with ${says}`, () => {
    const now: number = nowMs;
    assert.deepEqual(earlier(periodOf(new URLSearchParams(period), now, zone), back, now, zone), query);
  });
}

test('a month of the address is requested as such, so that it has a projection while it is running', () => {
  assert.deepEqual(monthPeriod('2026-11', at, zone).query, { month: '2026-11' });
});
