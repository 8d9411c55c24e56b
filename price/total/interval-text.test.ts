import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Charge } from './charges.ts';
import { type PricedInterval, toWireInterval } from './charges.ts';
import { intervalText } from './interval-text.ts';
import type { Terms } from './terms.ts';

const charge = (kind: Charge['kind'], rule: string): Charge => ({
  kind,
  name: rule,
  source: 'Göteborg "Energi"',
  rule,
  price: 0,
  spotMultiplier: 0,
});
const lists = [[], [charge('energy_tax', 'tax')], [charge('grid_energy', 'hög'), charge('energy_tax', 'tax')]];
const quarterMs = 900_000;
const frame = { before: '[', after: ']' };

const amount = fc.oneof(
  fc.integer({ min: -3_000_000, max: 30_000_000 }),
  fc.integer({ min: -1e13, max: 1e13 }),
  fc.constantFrom(0, 9_999_999, 10_000_000, -1, -9_999_999, -10_000_000),
);
const interval = fc
  .record({
    quarter: fc.nat(2_000_000),
    source: fc.constantFrom('ENTSO-E', 'Åland'),
    charges: fc.constantFrom(...lists),
    amounts: fc.array(amount, { minLength: 5, maxLength: 5 }),
  })
  .map(({ quarter, source, charges, amounts }): PricedInterval => {
    const [spot, vat, total, ...charged] = amounts as [number, number, number, number, number];
    const start = quarter * quarterMs;
    const end = start + quarterMs;
    return { start, end, source, spot, vat, total, charges, charged: charged.slice(0, charges.length) };
  });
const terms = fc
  .record({ markup: fc.option(amount, { nil: undefined }), hasVat: fc.boolean() })
  .map(({ markup, hasVat }) => ({ markup, vat: hasVat ? { percent: 25, source: 'law' } : undefined }) as Terms);

test('the text of intervals says what each of them shows', () => {
  fc.assert(
    fc.property(terms, fc.array(interval, { minLength: 1, maxLength: 20 }), (known, intervals) => {
      const text = intervalText(known, intervals, frame).write().toString();
      assert.deepEqual(
        JSON.parse(text),
        intervals.map((each) => toWireInterval(known, each)),
      );
    }),
  );
});

test('two texts have the same tag when they are the same', () => {
  const few = fc.array(interval, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(terms, few, few, fc.boolean(), (known, one, others, isSame) => {
      const [first, second] = [intervalText(known, one, frame), intervalText(known, isSame ? [...one] : others, frame)];
      assert.equal(first.etag === second.etag, first.write().equals(second.write()));
    }),
  );
});
