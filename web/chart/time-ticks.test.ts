import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDate } from '#contract/time-zone.ts';
import { timeTicks } from './time-ticks.ts';

const timeZone = 'Europe/Stockholm';
const at = (text: string): number => Date.parse(text);
const texts = (ticks: readonly number[]): string[] =>
  ticks.map((ms) => new Date(ms).toLocaleString('sv-SE', { timeZone }));

test('the ticks of a day are full hours of its time zone', () => {
  const { grain, ticks } = timeTicks(
    startOfDate(timeZone, '2026-06-01'),
    startOfDate(timeZone, '2026-06-02'),
    5,
    timeZone,
  );
  assert.equal(grain, 'minute');
  assert.deepEqual(
    texts(ticks).map((text) => text.slice(8, 16)),
    ['01 00:00', '01 06:00', '01 12:00', '01 18:00', '02 00:00'],
  );
});

for (const { day, to, hours } of [
  { day: '2026-03-29', to: '2026-03-29T04:00:00Z', hours: ['00', '01', '03', '04', '05', '06'] },
  { day: '2026-10-25', to: '2026-10-25T05:00:00Z', hours: ['00', '01', '02', '03', '04', '05', '06'] },
]) {
  test(`on ${day}, when the clocks change, ticks stay on full hours of local time`, () => {
    const { ticks } = timeTicks(startOfDate(timeZone, day), at(to), 7, timeZone);
    assert.deepEqual(
      texts(ticks).map((text) => text.slice(11, 13)),
      hours,
    );
    assert.deepEqual(
      ticks,
      [...new Set(ticks)].sort((a, b) => a - b),
    );
  });
}

for (const { says, from, to, maxTicks, grain, ticks } of [
  {
    says: 'seconds',
    from: '2026-06-01T10:00:03Z',
    to: '2026-06-01T10:00:21Z',
    maxTicks: 5,
    grain: 'second',
    ticks: ['2026-06-01 12:00:05', '2026-06-01 12:00:10', '2026-06-01 12:00:15', '2026-06-01 12:00:20'],
  },
  {
    says: 'days across a clock change',
    from: '2026-10-23T22:00:00Z',
    to: '2026-10-26T23:00:00Z',
    maxTicks: 5,
    grain: 'day',
    ticks: ['2026-10-24 00:00:00', '2026-10-25 00:00:00', '2026-10-26 00:00:00', '2026-10-27 00:00:00'],
  },
  {
    says: 'weeks, from Monday',
    from: '2026-10-31T23:00:00Z',
    to: '2026-11-30T23:00:00Z',
    maxTicks: 6,
    grain: 'day',
    ticks: ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'].map((day) => `${day} 00:00:00`),
  },
  {
    says: 'quarters',
    from: '2025-12-31T23:00:00Z',
    to: '2026-12-31T23:00:00Z',
    maxTicks: 5,
    grain: 'month',
    ticks: ['2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01', '2027-01-01'].map((day) => `${day} 00:00:00`),
  },
  {
    says: 'years',
    from: '2020-06-01T00:00:00Z',
    to: '2026-06-01T00:00:00Z',
    maxTicks: 4,
    grain: 'year',
    ticks: ['2022-01-01 00:00:00', '2024-01-01 00:00:00', '2026-01-01 00:00:00'],
  },
]) {
  test(`a longer period has coarser ticks: ${says}`, () => {
    const answer = timeTicks(at(from), at(to), maxTicks, timeZone);
    assert.equal(answer.grain, grain);
    assert.deepEqual(texts(answer.ticks), ticks);
  });
}
