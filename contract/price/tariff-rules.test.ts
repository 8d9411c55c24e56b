import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTaxRule, writeTaxRule } from './tariff-rules.ts';

for (const { rule, text } of [
  { rule: { year: 2026, isReduced: false }, text: 'energy tax of 2026, full rate' },
  { rule: { year: 2025, isReduced: true }, text: 'energy tax of 2025, reduced in the north' },
  {
    rule: { year: 2026, isReduced: false, unknownYear: 2029 },
    text: 'energy tax of 2026, full rate, that of 2029 is not known',
  },
]) {
  test(`“${text}” is read as it was written`, () => {
    assert.equal(writeTaxRule(rule), text);
    assert.deepEqual(readTaxRule(text), rule);
  });
}

test('the rule of a grid tariff is another one', () => {
  assert.equal(readTaxRule('Effekt 16–25 A: Energiskatt'), undefined);
  assert.equal(readTaxRule('energy tax of 2026, half rate'), undefined);
});
