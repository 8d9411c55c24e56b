import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeList } from './register-values.ts';

const listOf = (text: string) => writeList(JSON.parse(text), text);

test('registers are written in the order of the text, signed ones as they go on the wire', () => {
  assert.deepEqual(listOf('{"20": 65535, "0x0A": -1, "3": -32768}'), [
    { address: 20, value: 0xffff },
    { address: 10, value: 0xffff },
    { address: 3, value: 0x8000 },
  ]);
});

for (const text of [
  '{}',
  '[]',
  '{"1": 65536}',
  '{"1": -32769}',
  '{"1": 1.5}',
  '{"1": "1"}',
  '{"1": null}',
  '{"65536": 1}',
  '{"0x10000": 1}',
  '{"-1": 1}',
  '{"1e1": 1}',
]) {
  test(`${text} is refused`, () => assert.throws(() => listOf(text), { name: 'Problem' }));
}
