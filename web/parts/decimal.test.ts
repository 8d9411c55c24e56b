import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDecimal, writeDecimal } from './decimal.ts';

const small = { min: -100, max: 100 };
const power = { min: 0 };

for (const language of ['en', 'sv'] as const) {
  for (const { typed, value } of [
    { typed: '0,05', value: '0.05' },
    { typed: '0.05', value: '0.05' },
    { typed: ' 5 ', value: '5' },
    { typed: '0,', value: '0' },
    { typed: ',5', value: '0.5' },
    { typed: '-1,5', value: '-1.5' },
    { typed: '−1,5', value: '-1.5' },
    { typed: '59.329', value: '59.329' },
    { typed: '59,329', value: '59.329' },
    { typed: '', value: '' },
  ]) {
    test(`“${typed}” is “${value}” in ${language}`, () =>
      assert.deepEqual(readDecimal(typed, language, small), { value }));
  }

  for (const typed of ['much', '1 000', '1,000.5', '0,,5', '1e3', '0x10', '-', ',', '5 öre']) {
    test(`“${typed}” is not a number in ${language}`, () =>
      assert.deepEqual(readDecimal(typed, language, power), { value: '', mistake: 'noNumber' }));
  }
}

test('a number outside the range is a mistake and keeps its value', () => {
  assert.deepEqual(readDecimal('-101', 'sv', small), { value: '-101', mistake: 'tooLittle' });
  assert.deepEqual(readDecimal('100,5', 'sv', small), { value: '100.5', mistake: 'tooMuch' });
});

test('a number that may mean thousands or decimals is refused', () => {
  const unclear = { value: '', mistake: 'unclear' };
  assert.deepEqual(readDecimal('1,000', 'en', power), unclear);
  assert.deepEqual(readDecimal('1.000', 'sv', power), unclear);
  assert.deepEqual(readDecimal('1.000', 'en', power), { value: '1' });
  assert.deepEqual(readDecimal('1,000', 'sv', power), { value: '1' });
  assert.deepEqual(readDecimal('0,005', 'en', power), { value: '0.005' });
});

test('a number is written with the decimal separator of the language', () => {
  assert.equal(writeDecimal('0.05', 'sv'), '0,05');
  assert.equal(writeDecimal('0.05', 'en'), '0.05');
});
