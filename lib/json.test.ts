import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonError, parseJson } from './json.ts';

const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join()}}`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

for (const { says, input, message, path = '' } of [
  { says: 'nothing', input: '', message: /empty/ },
  { says: 'no bytes', input: bytes(), message: /empty/ },
  { says: 'only white space', input: ' \n\t ', message: /empty/ },
  { says: 'invalid UTF-8', input: bytes(0x22, 0xc3, 0x28, 0x22), message: /UTF-8/ },
  { says: 'half a character', input: bytes(0x22, 0xe2, 0x82), message: /UTF-8/ },
  { says: 'a byte order mark in bytes', input: bytes(0xef, 0xbb, 0xbf, 0x31), message: /byte order mark/ },
  { says: 'a byte order mark in text', input: '\uFEFF1', message: /byte order mark/ },
  { says: 'a missing value', input: '{"a":}', message: /not valid JSON/ },
  { says: 'a missing end', input: '{"a":[1,2', message: /not valid JSON/ },
  { says: 'an open string', input: '{"a', message: /not valid JSON/ },
  { says: 'an open escape', input: '{"\\', message: /not valid JSON/ },
  { says: 'a wrong escape in a key', input: '{"\\x":1}', message: /not valid JSON at line 1 column 4/ },
  { says: 'closers without openers', input: ']}]}', message: /not valid JSON/ },
  { says: 'two values', input: '1 2', message: /not valid JSON/ },
  { says: 'a comment', input: '{} // x', message: /not valid JSON/ },
  { says: 'NaN', input: 'NaN', message: /not valid JSON/ },
  { says: 'a malformed number', input: '[1e5-e]', message: /not valid JSON/ },
  { says: '33 levels', input: nested(33), message: /deeper than 32/, path: '/0'.repeat(32) },
  { says: '1001 keys', input: keys(1001), message: /more than 1000 keys/, path: '/k1000' },
  { says: '1001 keys in many objects', input: `[${'{"a":1},'.repeat(1000)}{"a":1}]`, message: /1000/, path: '/1000/a' },
  { says: 'a key twice', input: '{"ders":[{"name":1,"name":2}]}', message: /twice/, path: '/ders/0/name' },
  { says: 'a key twice by escape', input: '{"a":1,"\\u0061":2}', message: /twice/, path: '/a' },
  { says: 'a key twice around a value', input: '{"a":{"b":[]},"a":2}', message: /twice/, path: '/a' },
  { says: '__proto__', input: '{"a":{"__proto__":1}}', message: /not allowed/, path: '/a/__proto__' },
  { says: '__proto__ by escape', input: '{"\\u005f_proto__":1}', message: /not allowed/, path: '/__proto__' },
  { says: 'constructor', input: '{"constructor":1}', message: /not allowed/, path: '/constructor' },
  { says: 'prototype', input: '{"prototype":1}', message: /not allowed/, path: '/prototype' },
  { says: 'an infinite number', input: '{"a":[0,1e999]}', message: /too large/, path: '/a/1' },
  { says: 'an infinite negative number', input: '-1E+999', message: /too large/ },
  { says: 'a number of 400 digits', input: `[${'9'.repeat(400)}]`, message: /too large/, path: '/0' },
  { says: 'a key with a slash twice', input: '{"a/~b":1,"a/~b":1}', message: /twice/, path: '/a~1~0b' },
]) {
  test(`${says} is refused`, () => {
    assert.throws(
      () => parseJson(input),
      (error) => error instanceof JsonError && message.test(error.message) && error.path === path,
    );
  });
}

for (const { says, input } of [
  { says: '32 levels', input: nested(32) },
  { says: '1000 keys', input: keys(1000) },
  { says: 'the same key in sibling objects', input: '[{"a":1},{"a":{"a":2}}]' },
  { says: 'forbidden names as values', input: '["__proto__",{"a":"constructor"}]' },
  { says: 'structure within strings', input: '{"a":"{\\"a\\":[1e999,","b":"\\\\"}' },
  { says: 'the largest number', input: '[1.7976931348623157e308,-1e-999]' },
  { says: 'a lone value', input: ' "x" ' },
]) {
  test(`${says} is accepted`, () => assert.deepEqual(parseJson(input), JSON.parse(input)));
}

test('the output of JSON.stringify is read back unchanged, from text and from bytes', () => {
  const isRefused = (original: unknown): boolean =>
    /"(__proto__|constructor|prototype)":/.test(JSON.stringify(original));
  const value = fc.jsonValue({ maxDepth: 8 }).filter((original) => !isRefused(original));
  fc.assert(
    fc.property(value, (original) => {
      const text = JSON.stringify(original);
      assert.deepEqual(parseJson(text), JSON.parse(text));
      assert.deepEqual(parseJson(new TextEncoder().encode(text)), JSON.parse(text));
    }),
  );
});

test('any other text gives a JsonError and no other error', () => {
  const scraps = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '1', '-', 'e9', 'true', ' ');
  const text = fc.array(scraps, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (input) => {
      try {
        assert.deepEqual(parseJson(input), JSON.parse(input));
      } catch (error) {
        assert.ok(error instanceof JsonError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

const size = 256 * 1024;
for (const { says, input } of [
  { says: 'nested arrays', input: '['.repeat(size) },
  { says: 'nested objects', input: '{"a":'.repeat(size / 5) },
  { says: 'keys', input: keys(size / 10) },
  { says: 'one open string of escapes', input: `"${'\\"'.repeat(size / 2)}` },
  { says: 'one number', input: '9'.repeat(size) },
]) {
  test(`256 KiB of ${says} is refused at once`, () => {
    // The least of five, of the processor: what it costs, not what else the machine was doing.
    const costsMs = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage();
      assert.throws(() => parseJson(input), JsonError);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    });
    assert.ok(Math.min(...costsMs) < 20, `took ${costsMs.join()} ms`);
  });
}
