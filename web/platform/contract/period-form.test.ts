import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContractPeriod, contractErrors } from '#contract/price/contract.ts';
import { fieldAt, formOf, mistakesOf, otherSide, periodOf, withVat } from './period-form.ts';

const terms = { smallChange: { name: 'öre', perUnit: 100 }, vatPercent: 25 } as const;

const spot: ContractPeriod = { valid_from: '2026-01-01', pricing: 'spot' };
const full: ContractPeriod = {
  valid_from: '2026-03-01',
  pricing: 'fixed',
  supplier: 'Bergslagens Kraft',
  fixed_price_per_kwh: 0.72,
  markup_per_kwh: 0.0312,
  monthly_fee: 39.2,
  vat_percent: 24,
  export: { pricing: 'spot', adjustment_per_kwh: -0.02 },
  export_grid_benefit_per_kwh: 0.0525,
  tax_reduction: { per_kwh: 0.6, max_kwh_per_year: 30_000 },
  support: 'stromstotte',
  tariff_id: 'tariff',
  fuse_a: 20,
};
const soldFixed: ContractPeriod = { ...spot, export: { pricing: 'fixed', price_per_kwh: 0.35 } };

for (const [says, period] of Object.entries({ 'without extras': spot, 'with everything': full, soldFixed }))
  for (const isWithVat of [true, false])
    test(`a period ${says} survives the form ${isWithVat ? 'with' : 'without'} VAT`, () =>
      assert.deepEqual(periodOf(formOf(period, isWithVat, terms), terms), period));

test('amounts are entered as invoices write them, and stored before VAT', () => {
  const form = { ...formOf(spot, true, terms), markup: '6.25', monthly_fee: '49', grid_benefit: '5.1' };
  const { markup_per_kwh, monthly_fee, export_grid_benefit_per_kwh } = periodOf(form, terms);
  assert.deepEqual([markup_per_kwh, monthly_fee, export_grid_benefit_per_kwh], [0.05, 39.2, 0.051]);
  assert.equal(otherSide(form, 'markup', terms), '5');
});

test('a form shows the VAT of its period', () => {
  assert.equal(formOf({ ...spot, monthly_fee: 100, vat_percent: 24 }, true, terms).monthly_fee, '124');
});

test('amounts are converted when VAT is switched, and the contract stays the same', () => {
  const form = formOf(full, true, terms);
  const without = withVat(form, false, terms);
  assert.deepEqual([form.markup, without.markup], ['3.8688', '3.12']);
  assert.deepEqual(periodOf(without, terms), full);
  assert.equal(withVat(form, true, terms), form);
  assert.deepEqual(withVat(without, true, terms), form);
});

test('a price that does not belong to the pricing is kept in the form only', () => {
  const form = { ...formOf(full, false, terms), pricing: 'spot' as const };
  assert.equal(form.fixed_price, '72');
  assert.equal('fixed_price_per_kwh' in periodOf(form, terms), false);
});

test('mistakes belong to their fields', () => {
  const form = formOf(spot, true, terms);
  assert.deepEqual(mistakesOf(form, ['2026-02-01']), {});
  assert.deepEqual(mistakesOf(form, ['2026-01-01']), { valid_from: 'sameDate' });
  assert.deepEqual(mistakesOf({ ...form, valid_from: '2026-02-31' }, []), { valid_from: 'noDate' });
  const unpriced = { ...form, pricing: 'fixed', export_pricing: 'fixed' } as const;
  assert.deepEqual(mistakesOf(unpriced, []), { fixed_price: 'noFixedPrice', export_price: 'noExportPrice' });
});

test('a form without mistakes has no errors for the platform', () => {
  for (const period of [spot, full, soldFixed]) {
    const form = formOf(period, true, terms);
    assert.deepEqual(mistakesOf(form, []), {});
    assert.deepEqual(contractErrors([periodOf(form, terms)], 'body.periods'), []);
  }
});

test('an error of the platform is shown at its field, of this period only', () => {
  assert.equal(fieldAt('body.periods.1.export.price_per_kwh', 1), 'export_price');
  assert.equal(fieldAt('body.periods.1.markup_per_kwh', 0), undefined);
  assert.equal(fieldAt('body.periods.12.markup_per_kwh', 1), undefined);
});
