import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyNumber, plainNumber } from './number-formats.ts';

for (const { says, text, told } of [
  { says: 'a whole number that is almost nothing has no sign', text: plainNumber('en', 0).format(-0.3), told: '0' },
  { says: 'nothing has none either', text: plainNumber('en', 0).format(-0), told: '0' },
  { says: 'nor has a degree just below nought', text: plainNumber('en', 1).format(-0.04), told: '0.0' },
  { says: 'what is told to be below nought keeps it', text: plainNumber('en', 1).format(-0.06), told: '-0.1' },
  {
    says: 'less than the smallest coin is no debt',
    text: currencyNumber('en', 'EUR', 2).format(-0.001),
    told: '€0.00',
  },
  { says: 'a credit is one', text: currencyNumber('en', 'EUR', 2).format(-1.5), told: '-€1.50' },
]) {
  test(says, () => assert.equal(text, told));
}
