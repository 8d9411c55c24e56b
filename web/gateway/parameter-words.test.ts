import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionTypes } from '#contract/gateway/connections.ts';
import { setLanguage } from '../parts/text.ts';
import { valueWords } from './parameter-words.ts';

test('every parity has a word in both languages, and other values stay as they are', async (t) => {
  t.after(() => setLanguage('en'));
  const { oneOf = [] } = connectionTypes.p1_uart.parameters.find(({ name }) => name === 'parity')!;
  assert.equal(valueWords('parity', 'none'), 'none');
  await setLanguage('sv');
  assert.deepEqual(
    oneOf.map((parity) => valueWords('parity', parity)),
    ['ingen', 'jämn', 'udda'],
  );
  assert.deepEqual([valueWords('parity', 0), valueWords('manufacturer', 'none')], ['0', 'none']);
});
