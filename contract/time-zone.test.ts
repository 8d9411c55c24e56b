import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateAt, instantOf, isTimeZone, nextTimeOfDay, offsetAt, startOfDate, wallAt } from './time-zone.ts';

const stockholm = 'Europe/Stockholm';
const hour = 3_600_000;
const dayAfter = (day: string): string => new Date(Date.parse(day) + 24 * hour).toISOString().slice(0, 10);

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
    says: 'a midnight in the midst of what is skipped',
    timeZone: 'America/Toronto',
    day: '1919-03-31',
    starts: '1919-03-31T04:30:00Z',
    hours: 23.5,
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
    const from = startOfDate(timeZone, day);
    assert.equal(new Date(from).toISOString(), new Date(starts).toISOString());
    assert.equal((startOfDate(timeZone, dayAfter(day)) - from) / hour, hours);
    assert.equal(dateAt(timeZone, from), day);
    assert.equal(dayAfter(dateAt(timeZone, from - 1)), day);
  });
}

test('a wall time leads to its instant and back', () => {
  const zones = [stockholm, 'America/St_Johns', 'Pacific/Apia', 'UTC'];
  for (const timeZone of zones) {
    for (let ms = Date.UTC(2026, 0, 1, 0, 30); ms < Date.UTC(2027, 0, 1); ms += 37 * hour) {
      assert.equal(instantOf(timeZone, wallAt(timeZone, ms)), ms, `${timeZone} ${new Date(ms).toISOString()}`);
    }
  }
});

test('a wall time that comes twice means the first, one that is skipped the moment of the change', () => {
  assert.equal(instantOf(stockholm, Date.UTC(2026, 9, 25, 2, 30)), Date.UTC(2026, 9, 25, 0, 30));
  assert.equal(instantOf(stockholm, Date.UTC(2026, 2, 29, 2, 30)), Date.UTC(2026, 2, 29, 1));
});

for (const { timeZone, changes, hours } of [
  { timeZone: stockholm, changes: '2026-03-29T01:00Z', hours: 1 },
  { timeZone: stockholm, changes: '2026-10-25T01:00Z', hours: -1 },
  { timeZone: 'Europe/Dublin', changes: '2026-10-25T01:00Z', hours: -1 }, // by law its winter is the exception
  { timeZone: 'Antarctica/Troll', changes: '2026-03-29T01:00Z', hours: 2 },
  { timeZone: 'Australia/Lord_Howe', changes: '2026-04-04T15:00Z', hours: -0.5 },
  { timeZone: 'America/Caracas', changes: '2016-05-01T07:00Z', hours: 0.5 },
  { timeZone: 'America/Noronha', changes: '2000-10-08T02:00Z', hours: 1 },
  { timeZone: 'America/Noronha', changes: '2000-10-15T01:00Z', hours: -1 },
  { timeZone: 'Pacific/Apia', changes: '2011-12-30T10:00Z', hours: 24 },
  { timeZone: 'Pacific/Kwajalein', changes: '1969-09-30T13:00Z', hours: -23 },
  { timeZone: 'America/Juneau', changes: '1867-10-19T00:31:13Z', hours: -24 }, // sold by Russia; its clocks had seconds
]) {
  test(`around ${changes} every wall time of ${timeZone} leads to the first instant that shows it`, () => {
    const change = Date.parse(changes);
    assert.equal(wallAt(timeZone, change) - wallAt(timeZone, change - 1), hours * hour + 1);
    const shown = new Map<number, number>();
    for (let ms = change - 60 * hour; ms < change + 60 * hour; ms += hour / 4) {
      const wall = wallAt(timeZone, ms);
      if (!shown.has(wall)) shown.set(wall, ms);
    }
    const middle = wallAt(timeZone, change);
    for (let wall = middle - 36 * hour; wall < middle + 36 * hour; wall += hour / 4) {
      assert.equal(instantOf(timeZone, wall), shown.get(wall) ?? change, new Date(wall).toISOString());
    }
  });
}

test('a day that the calendar skips begins with the next', () => {
  const next = startOfDate('Pacific/Apia', '2011-12-31');
  assert.equal(startOfDate('Pacific/Apia', '2011-12-30'), next);
  assert.equal(dateAt('Pacific/Apia', next - 1), '2011-12-29');
});

test('the clocks of every zone show what the system writes', () => {
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const truth = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    for (let ms = Date.UTC(1880, 0, 1, 0, 30); ms < Date.UTC(2040, 0); ms += 4001 * hour) {
      const shown = new Date(wallAt(timeZone, ms)).toISOString().slice(0, 19).replace('T', ' ');
      assert.equal(shown, truth.format(ms), timeZone);
    }
  }
});

test('a hundred years of days are correct although the cache holds fewer', () => {
  const truth = new Intl.DateTimeFormat('sv-SE', { timeZone: stockholm, dateStyle: 'short' });
  for (let round = 0; round < 2; round++) {
    for (let ms = Date.UTC(1950, 0, 1, 22, 30); ms < Date.UTC(2050, 0); ms += 7 * 24 * hour) {
      assert.equal(dateAt(stockholm, ms), truth.format(ms));
    }
  }
});

test('more zones than the cache holds are correct, in any spelling', () => {
  const name = 'europe/stockholm';
  const spelled = Array.from({ length: 1200 }, (_, n) =>
    [...name].map((letter, place) => ((n >> place) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  for (const timeZone of [...spelled, ...spelled.slice(0, 10)]) {
    assert.equal(offsetAt(timeZone, Date.UTC(2026, 6)), 2 * hour, timeZone);
  }
});

test('an offset is a zone without changes', () => {
  assert.equal(instantOf('-03:30', Date.UTC(2026, 2, 29, 2, 30)), Date.UTC(2026, 2, 29, 6));
  assert.equal(startOfDate('+14:00', '2026-01-01'), Date.UTC(2025, 11, 31, 10));
});

test('invalid times have no wall time, and invalid dates no start', () => {
  assert.throws(() => wallAt(stockholm, Number.NaN), RangeError);
  assert.throws(() => startOfDate(stockholm, 'today'), RangeError);
  assert.throws(() => wallAt('Europe/Ohmstead', 0), RangeError);
});

test('without a zone the clocks are those of this machine', () => {
  const noon = new Date(2026, 6, 1, 12);
  assert.equal(wallAt(undefined, noon.getTime()), Date.UTC(2026, 6, 1, 12));
  assert.equal(instantOf(undefined, Date.UTC(2026, 6, 1, 12)), noon.getTime());
  assert.equal(startOfDate(undefined, '2026-07-01'), new Date(2026, 6, 1).getTime());
});

test('an unknown name is not a time zone', () => {
  assert.deepEqual(['Europe/Stockholm', 'UTC', '+02:00', 'Europe/Ohmstead', '', 'CEST?'].map(isTimeZone), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

for (const { says, at, time, ends } of [
  { says: 'later today', at: '2026-06-01T12:00:00Z', time: '16:30', ends: '2026-06-01T14:30:00Z' },
  { says: 'tomorrow', at: '2026-06-01T12:00:00Z', time: '07:00', ends: '2026-06-02T05:00:00Z' },
  { says: 'after the night of 25 hours', at: '2026-10-24T05:00:00Z', time: '07:00', ends: '2026-10-25T06:00:00Z' },
  { says: 'after the night of 23 hours', at: '2026-03-28T21:00:00Z', time: '07:00', ends: '2026-03-29T05:00:00Z' },
  { says: 'at a time that is skipped', at: '2026-03-28T21:00:00Z', time: '02:30', ends: '2026-03-29T01:00:00Z' },
  { says: 'at a time shown twice', at: '2026-10-25T00:40:00Z', time: '02:30', ends: '2026-10-25T01:30:00Z' },
])
  test(`the next time of day: ${says}`, () =>
    assert.equal(
      new Date(nextTimeOfDay('Europe/Stockholm', time, Date.parse(at))).toISOString(),
      ends.replace('Z', '.000Z'),
    ));
