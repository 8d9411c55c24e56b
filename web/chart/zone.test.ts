import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf, instantOf, isDay, monthAfter, startOfDay, wallOf, weekdayOf } from './zone.ts';

const stockholm = 'Europe/Stockholm';
const hour = 3_600_000;

for (const { says, timeZone, day, starts, hours } of [
  { says: 'a day in winter', timeZone: stockholm, day: '2026-01-15', starts: '2026-01-14T23:00:00Z', hours: 24 },
  {
    says: 'the short day of spring',
    timeZone: stockholm,
    day: '2026-03-29',
    starts: '2026-03-28T23:00:00Z',
    hours: 23,
  },
  { says: 'the long day of autumn', timeZone: stockholm, day: '2026-10-25', starts: '2026-10-24T22:00:00Z', hours: 25 },
  {
    says: 'a day in New York',
    timeZone: 'America/New_York',
    day: '2026-03-08',
    starts: '2026-03-08T05:00:00Z',
    hours: 23,
  },
  {
    says: 'a half-hour change',
    timeZone: 'Australia/Lord_Howe',
    day: '2026-10-04',
    starts: '2026-10-03T13:30:00Z',
    hours: 23.5,
  },
  {
    says: 'a midnight that is skipped',
    timeZone: 'America/Santiago',
    day: '2026-09-06',
    starts: '2026-09-06T04:00:00Z',
    hours: 23,
  },
  {
    says: 'a midnight that comes twice',
    timeZone: 'America/Havana',
    day: '2026-11-01',
    starts: '2026-11-01T04:00:00Z',
    hours: 25,
  },
  {
    says: 'a zone without changes',
    timeZone: 'Asia/Kathmandu',
    day: '2026-06-01',
    starts: '2026-05-31T18:15:00Z',
    hours: 24,
  },
]) {
  test(`${says} begins and ends when its clocks say so`, () => {
    const from = startOfDay(day, timeZone);
    assert.equal(new Date(from).toISOString(), new Date(starts).toISOString());
    assert.equal((startOfDay(addDays(day, 1), timeZone) - from) / hour, hours);
    assert.equal(dayOf(from, timeZone), day);
    assert.equal(dayOf(from - 1, timeZone), addDays(day, -1));
  });
}

test('a wall time leads to its instant and back', () => {
  const zones = [stockholm, 'America/St_Johns', 'Pacific/Apia', 'UTC'];
  for (const timeZone of zones) {
    for (let ms = Date.UTC(2026, 0, 1, 0, 30); ms < Date.UTC(2027, 0, 1); ms += 37 * hour) {
      assert.equal(instantOf(wallOf(ms, timeZone), timeZone), ms, `${timeZone} ${new Date(ms).toISOString()}`);
    }
  }
});

test('a wall time that comes twice means the first, one that is skipped the moment of the change', () => {
  assert.equal(instantOf(Date.UTC(2026, 9, 25, 2, 30), stockholm), Date.UTC(2026, 9, 25, 0, 30));
  assert.equal(instantOf(Date.UTC(2026, 2, 29, 2, 30), stockholm), Date.UTC(2026, 2, 29, 1));
});

test('days are counted over months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2028-03-01', -1), '2028-02-29');
  assert.equal(monthAfter('2026-01-31', 1), '2026-02-01');
  assert.equal(monthAfter('2026-01-31', -1), '2025-12-01');
  assert.equal(weekdayOf('2026-11-15'), 6);
  assert.equal(weekdayOf('2026-11-16'), 0);
});

test('only days of the calendar are days', () => {
  assert.deepEqual(['2026-02-28', '2026-02-29', '2026-2-1', 'now', '2026-13-01'].map(isDay), [
    true,
    false,
    false,
    false,
    false,
  ]);
});
