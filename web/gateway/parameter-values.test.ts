import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionTypes } from '#contract/gateway/connections.ts';
import { valueIn } from './parameter-values.ts';

test('every word for a parity has one in Swedish, and a number stays one', () => {
  const { oneOf = [] } = connectionTypes.p1_uart.parameters.find(({ name }) => name === 'parity')!;
  assert.deepEqual(
    oneOf.map((parity) => valueIn('sv', 'parity', parity)),
    ['ingen', 'jämn', 'udda'],
  );
  assert.equal(valueIn('en', 'parity', 'none'), 'none');
  assert.deepEqual([valueIn('sv', 'parity', 0), valueIn('sv', 'manufacturer', 'none')], ['0', 'none']);
});
