import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ContractPeriod, contractErrors } from './contract.ts';

const spot: ContractPeriod = { valid_from: '2026-01-01', pricing: 'spot' };

suite('a contract', () => {
  for (const { says, periods, paths } of [
    { says: 'may be empty', periods: [], paths: [] },
    { says: 'may change from day to day', periods: [spot, { ...spot, valid_from: '2026-01-02' }], paths: [] },
    { says: 'has one period per day', periods: [spot, spot], paths: ['body.1.valid_from'] },
    {
      says: 'is in order of time',
      periods: [spot, { ...spot, valid_from: '2025-01-01' }],
      paths: ['body.1.valid_from'],
    },
    { says: 'begins on a real day', periods: [{ ...spot, valid_from: '2026-02-30' }], paths: ['body.0.valid_from'] },
    { says: 'begins in a real month', periods: [{ ...spot, valid_from: '2026-13-01' }], paths: ['body.0.valid_from'] },
    {
      says: 'at a fixed price has that price',
      periods: [{ ...spot, pricing: 'fixed' as const }],
      paths: ['body.0.fixed_price_per_kwh'],
    },
    {
      says: 'at the spot price has no fixed one',
      periods: [{ ...spot, fixed_price_per_kwh: 1 }],
      paths: ['body.0.fixed_price_per_kwh'],
    },
    {
      says: 'sells at a fixed price that it has, without an adjustment',
      periods: [{ ...spot, export: { pricing: 'fixed' as const, adjustment_per_kwh: 1 } }],
      paths: ['body.0.export.price_per_kwh', 'body.0.export.adjustment_per_kwh'],
    },
    {
      says: 'sells at the spot price without another one',
      periods: [{ ...spot, export: { pricing: 'spot' as const, price_per_kwh: 1 } }],
      paths: ['body.0.export.price_per_kwh'],
    },
  ]) {
    test(says, () =>
      assert.deepEqual(
        contractErrors(periods, 'body').map(({ path }) => path),
        paths,
      ),
    );
  }
});
