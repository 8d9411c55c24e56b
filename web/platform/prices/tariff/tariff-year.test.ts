import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarPattern, Component, Interval, Tariff } from '#contract/price/eltariff.ts';
import { tariffYear } from './tariff-year.ts';
import { levelsOf } from './year.ts';

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

test('an hour that the clocks skip has no price', () => {
  const { amounts } = tariffYear(tariffOf([costs(1)]), patterns, 'energyPrice', 2026);
  assert.ok(Number.isNaN(amounts[(31 + 28 + 28) * 24 + 2])); // 29 March, 02:00
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

test('prices of the same hour add up; those of weekdays leave holidays out', () => {
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

test('days outside of the tariff have no price', () => {
  const valid = { fromIncluding: '2025-12-01', toExcluding: '2026-01-03' };
  assert.deepEqual(levels([costs(1)], 2026, valid), [{ amount: 1, hours: 48 }]);
});

test('what reactive power costs is not in the price of a kilowatt', () => {
  const reactive = costs(30, { name: 'Reaktiv effekt', ...peaks('max(0, peak(reactive)-peak(base)/2)') });
  assert.deepEqual(levels([costs(50), reactive]), [{ amount: 50, hours: 8760 }]);
});
