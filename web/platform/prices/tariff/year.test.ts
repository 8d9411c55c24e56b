import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAlways, addPrices, emptyYear, forgetSkipped, levelsOf, monthsOf, outlineOf, yearToShow } from './year.ts';

const whole = { fromIncluding: '2026-01-01', toExcluding: '2027-01-01' };

/** Weekdays of January from 6 to 22. */
function entries() {
  const found = [];
  for (let day = 1; day <= 31; day++) {
    const date = `2026-01-${String(day).padStart(2, '0')}`;
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    for (let hour = 6; hour < 22; hour++) {
      found.push({ timestamp: `${date}T${String(hour).padStart(2, '0')}:00:00`, priceIncVat: 0.2 });
    }
  }
  return found;
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

test('prices of the same hour add up, and are counted by their sum', () => {
  const hours = emptyYear(2026);
  addAlways(hours, whole, 0.1);
  addPrices(hours, entries());
  assert.deepEqual(levelsOf(hours), [
    { amount: 0.1, hours: 8760 - 22 * 16 },
    { amount: 0.3, hours: 22 * 16 },
  ]);
});

test('an hour that the clocks show twice has its price once', () => {
  const hours = emptyYear(2026);
  const twice = { timestamp: '2026-10-25T02:00:00', priceIncVat: 1 };
  addPrices(hours, [twice, twice]);
  assert.deepEqual(levelsOf(hours), [{ amount: 1, hours: 1 }]);
});

test('an hour that the clocks skip has no price', () => {
  const hours = emptyYear(2026);
  addAlways(hours, whole, 1);
  forgetSkipped(hours, 'Europe/Stockholm');
  assert.deepEqual(levelsOf(hours), [{ amount: 1, hours: 8759 }]);
  assert.ok(Number.isNaN(hours.amounts[(31 + 28 + 28) * 24 + 2])); // 29 March, 02:00
});

test('days outside of the season or the year have no price', () => {
  const hours = emptyYear(2026);
  addAlways(hours, { fromIncluding: '2025-12-01', toExcluding: '2026-01-03' }, 1);
  addPrices(hours, [{ timestamp: '2027-01-01T00:00:00', priceIncVat: 1 }]);
  assert.deepEqual(levelsOf(hours), [{ amount: 1, hours: 48 }]);
});

test('the outline of an amount has a piece for every run of hours', () => {
  const hours = emptyYear(2026);
  addPrices(hours, [...entries().slice(0, 2), { timestamp: '2026-01-02T05:00:00', priceIncVat: 0.2 }]);
  assert.equal(outlineOf(hours, 0.2), 'M0 6h1v2h-1zM1 5h1v1h-1z');
  assert.equal(outlineOf(hours, 1), '');
});

test('a month is told by its usual weekday and weekend', () => {
  const hours = emptyYear(2026);
  addAlways(hours, whole, 0.1);
  addPrices(
    hours,
    entries().filter(({ timestamp }) => !timestamp.startsWith('2026-01-06')),
  );
  const [january, february] = monthsOf(hours);
  const day = [{ from: 0, to: 24, amount: 0.1 }];
  assert.deepEqual(january, {
    month: '2026-01-01',
    weekdays: [
      { from: 0, to: 6, amount: 0.1 },
      { from: 6, to: 22, amount: 0.3 },
      { from: 22, to: 24, amount: 0.1 },
    ],
    weekends: day,
  });
  assert.deepEqual(february, { month: '2026-02-01', weekdays: day, weekends: day });
});
