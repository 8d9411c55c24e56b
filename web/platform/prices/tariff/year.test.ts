import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyYear, levelsOf, monthsOf, outlineOf, setHour, yearToShow } from './year.ts';

/** Everything costs this, but weekdays of January from 6 to 22 cost more, Epiphany not. */
function january(usual: number, more: number) {
  const hours = emptyYear(2026);
  for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3_600_000) {
    const [date, time] = new Date(at).toISOString().split('T') as [string, string];
    const isWeekday = new Date(at).getUTCDay() % 6 > 0 && date !== '2026-01-06';
    const isMore = date < '2026-02' && isWeekday && time >= '06' && time < '22';
    setHour(hours, { date, time }, isMore ? more : usual);
  }
  return hours;
}

for (const { says, valid, today, year } of [
  {
    says: 'the year of today',
    valid: { fromIncluding: '2025-10-01', toExcluding: '2027-01-01' },
    today: '2026-11-15',
    year: 2026,
  },
  {
    says: 'the last year of old prices',
    valid: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
    today: '2026-11-15',
    year: 2025,
  },
  {
    says: 'the first year of coming prices',
    valid: { fromIncluding: '2027-01-01', toExcluding: '2028-01-01' },
    today: '2026-11-15',
    year: 2027,
  },
]) {
  test(`a tariff is shown for ${says}`, () => assert.equal(yearToShow(valid, today), year));
}

test('a year has all its hours, and a leap year a day more', () => {
  assert.equal(emptyYear(2026).amounts.length, 8760);
  assert.equal(emptyYear(2028).amounts.length, 8784);
});

test('an hour that the clocks show twice is counted twice', () => {
  const hours = emptyYear(2026);
  for (const time of ['02:00:00', '02:00:00', '03:00:00']) setHour(hours, { date: '2026-10-25', time }, 1);
  assert.deepEqual(levelsOf(hours), [{ amount: 1, hours: 3 }]);
});

test('the outline of an amount has a piece for every run of hours', () => {
  const hours = emptyYear(2026);
  setHour(hours, { date: '2026-01-01', time: '06:00:00' }, 0.2);
  setHour(hours, { date: '2026-01-01', time: '07:00:00' }, 0.2);
  setHour(hours, { date: '2026-01-02', time: '05:00:00' }, 0.2);
  assert.equal(outlineOf(hours, 0.2), 'M0 6h1v2h-1zM1 5h1v1h-1z');
  assert.equal(outlineOf(hours, 1), '');
});

test('a month is told by its usual weekday and weekend', () => {
  const [first, second] = monthsOf(january(0.1, 0.3));
  const day = [{ from: 0, to: 24, amount: 0.1 }];
  assert.deepEqual(first, {
    month: '2026-01-01',
    weekdays: [
      { from: 0, to: 6, amount: 0.1 },
      { from: 6, to: 22, amount: 0.3 },
      { from: 22, to: 24, amount: 0.1 },
    ],
    weekends: day,
  });
  assert.deepEqual(second, { month: '2026-02-01', weekdays: day, weekends: day });
});
