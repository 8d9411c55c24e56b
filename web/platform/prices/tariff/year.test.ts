import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarPattern, Component, Tariff } from '#contract/price/eltariff.ts';
import type { Interval } from '#contract/price/interval.ts';
import { emptyYear, levelsOf, monthsOf, outlineOf, setHour, tariffYear, yearToShow } from './year.ts';

const id = '41621ff4-c17c-5327-85f3-79c0c60caf8a';
const ever: Interval = { fromIncluding: '2025-01-01', toExcluding: '2029-01-01' };

const patterns: CalendarPattern[] = [
  { reference: 'weekdays', frequency: 'P1W', days: [1, 2, 3, 4, 5] },
  { reference: 'holidays', frequency: 'P1Y', dates: ['2026-01-01', '2026-01-06'] },
];

const costs = (price: number, more: Partial<Component> = {}): Component => ({
  id,
  name: 'Avgift',
  type: 'fixed',
  reference: 'main',
  validPeriod: ever,
  price: { priceExVat: price * 0.8, priceIncVat: price, currency: 'SEK' },
  ...more,
});

const at = (reference: string, include: string[], exclude: string[], ...times: [from: string, to: string][]) => ({
  reference,
  frequency: 'P1D',
  activePeriods: times.map(([from, to]) => ({
    fromIncluding: `${from}:00`,
    toExcluding: `${to}:00`,
    calendarPatternReferences: { include, exclude },
  })),
});

function tariffOf(components: Component[], validPeriod = ever): Tariff {
  const group = { id, name: 'Pris', costFunction: 'sum(price(c))', components };
  return {
    id,
    name: 'Effekt 16–25 A',
    validPeriod,
    timeZone: 'Europe/Stockholm',
    lastUpdated: '2025-01-01T00:00:00',
    companyName: 'Nät AB',
    companyOrgNo: '556000-0000',
    product: 'EFF',
    direction: 'consumption',
    billingPeriod: 'P1M',
    fixedPrice: group,
    energyPrice: group,
    powerPrice: group,
  };
}

const peaks = (peakFunction: string) => ({
  peakIdentificationSettings: {
    peakFunction,
    peakIdentificationPeriod: 'P1D',
    peakDuration: 'PT1H',
    numberOfPeaksForAverageCalculation: 3,
  },
});

const levels = (components: Component[], year = 2026, validPeriod = ever) =>
  levelsOf(tariffYear(tariffOf(components, validPeriod), patterns, 'powerPrice', year));

test('a year has all its hours, and a leap year a day more', () => {
  assert.deepEqual(levels([costs(1)]), [{ amount: 1, hours: 8760 }]);
  assert.deepEqual(levels([costs(1)], 2028), [{ amount: 1, hours: 8784 }]);
});

test('an hour skipped by a clock change has no price', () => {
  const { days } = tariffYear(tariffOf([costs(1)]), patterns, 'energyPrice', 2026);
  assert.ok(Number.isNaN(days[31 + 28 + 28]?.[2]?.amount)); // 29 March, 02:00
});

test('where a peak counts half, a kilowatt costs half', () => {
  const power = costs(81.25, {
    ...peaks('max(peak(high),peak(low)/2)'),
    recurringPeriods: [
      at('high', [], [], ['06:00', '22:00']),
      at('low', [], [], ['00:00', '06:00'], ['22:00', '00:00']),
    ],
  });
  assert.deepEqual(levels([power]), [
    { amount: 40.625, hours: 365 * 8 },
    { amount: 81.25, hours: 365 * 16 },
  ]);
});

test('prices of the same hour add up; weekday prices exclude holidays', () => {
  const january = { fromIncluding: '2026-01-01', toExcluding: '2026-02-01' };
  const day = costs(0.2, {
    validPeriod: january,
    recurringPeriods: [at('main', ['weekdays'], ['holidays'], ['06:00', '22:00'])],
  });
  assert.deepEqual(levels([costs(0.1), day]), [
    { amount: 0.1, hours: 8760 - 20 * 16 },
    { amount: 0.3, hours: 20 * 16 },
  ]);
});

test('days outside the tariff have no price', () => {
  const valid = { fromIncluding: '2025-12-01', toExcluding: '2026-01-03' };
  assert.deepEqual(levels([costs(1)], 2026, valid), [{ amount: 1, hours: 48 }]);
});

test('the price of a kilowatt excludes reactive power', () => {
  const reactive = costs(30, { name: 'Reaktiv effekt', ...peaks('max(0, peak(reactive)-peak(base)/2)') });
  assert.deepEqual(levels([costs(50), reactive]), [{ amount: 50, hours: 8760 }]);
});

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
    says: 'the current year',
    valid: { fromIncluding: '2025-10-01', toExcluding: '2027-01-01' },
    today: '2026-11-15',
    year: 2026,
  },
  {
    says: 'the last year of expired prices',
    valid: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
    today: '2026-11-15',
    year: 2025,
  },
  {
    says: 'the first year of future prices',
    valid: { fromIncluding: '2027-01-01', toExcluding: '2028-01-01' },
    today: '2026-11-15',
    year: 2027,
  },
]) {
  test(`a tariff is shown for ${says}`, () => assert.equal(yearToShow(valid, today), year));
}

test('a year has all its hours, and a leap year a day more', () => {
  assert.equal(emptyYear(2026).days.flat().length, 8760);
  assert.equal(emptyYear(2028).days.flat().length, 8784);
});

test('an hour repeated by a clock change counts twice', () => {
  const hours = emptyYear(2026);
  for (const time of ['02:00:00', '02:00:00', '03:00:00']) setHour(hours, { date: '2026-10-25', time }, 1);
  assert.deepEqual(levelsOf(hours), [{ amount: 1, hours: 3 }]);
});

test('the outline of an amount has one rectangle per run of hours', () => {
  const hours = emptyYear(2026);
  setHour(hours, { date: '2026-01-01', time: '06:00:00' }, 0.2);
  setHour(hours, { date: '2026-01-01', time: '07:00:00' }, 0.2);
  setHour(hours, { date: '2026-01-02', time: '05:00:00' }, 0.2);
  assert.equal(outlineOf(hours, 0.2), 'M0 6h1v2h-1zM1 5h1v1h-1z');
  assert.equal(outlineOf(hours, 1), '');
});

test('a month is summarised by its most common weekday and weekend', () => {
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
