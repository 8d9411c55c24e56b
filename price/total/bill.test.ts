import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Component, Tariff } from '../tariffs/eltariff.ts';
import { fixedFees, unitOf } from './bill.ts';

const year = { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' };

const fee = (changes: Partial<Component>): Component => ({
  id: '',
  name: 'Fast avgift',
  type: 'public',
  reference: 'main',
  validPeriod: year,
  price: { priceExVat: 100, priceIncVat: 125, currency: 'SEK' },
  pricedPeriod: 'P1M',
  ...changes,
});

function counts(components: Component[], fromIncluding: string, toExcluding: string) {
  const given = { validPeriod: year, fixedPrice: { components } } as unknown as Tariff;
  const provider = { id: '', name: '', country: 'SE' as const, tariffs: [given], calendarPatterns: [] };
  const tariff = { given, provider, all: [given], on: () => ({ tariff: given, isAssumed: false }) };
  return fixedFees(tariff, { fromIncluding, toExcluding }).map(({ component, count }) => [
    unitOf(component),
    Math.round(count * 1000) / 1000,
  ]);
}

suite('fixed fees', () => {
  for (const { says, changes, from, to, due } of [
    {
      says: 'per month count twelve for a year',
      changes: {},
      from: '2025-01-01',
      to: '2026-01-01',
      due: [['month', 12]],
    },
    {
      says: 'per month count half for half of November',
      changes: {},
      from: '2025-11-01',
      to: '2025-11-16',
      due: [['month', 0.5]],
    },
    {
      says: 'per month count the days of both months',
      changes: {},
      from: '2025-01-31',
      to: '2025-02-15',
      due: [['month', 0.532]],
    },
    {
      says: 'per year count the days of the year',
      changes: { pricedPeriod: 'P1Y' },
      from: '2025-07-01',
      to: '2025-08-01',
      due: [['year', 0.085]],
    },
    {
      says: 'per day count the days',
      changes: { pricedPeriod: 'P1D' },
      from: '2025-07-01',
      to: '2025-08-01',
      due: [['day', 31]],
    },
    {
      says: 'that begin in July count from then on',
      changes: { validPeriod: { fromIncluding: '2025-07-01', toExcluding: '2026-01-01' } },
      from: '2025-06-01',
      to: '2025-09-01',
      due: [['month', 2]],
    },
    {
      says: 'are assumed to apply after the tariff has expired',
      changes: {},
      from: '2025-12-01',
      to: '2026-02-01',
      due: [['month', 2]],
    },
    { says: 'do not count before the tariff begins', changes: {}, from: '2024-02-01', to: '2024-03-01', due: [] },
  ]) {
    test(says, () => assert.deepEqual(counts([fee(changes)], from, to), due));
  }
});
