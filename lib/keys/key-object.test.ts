import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { keyObjectOf, parsePublicKey } from './public-key.ts';
import { arbitraryEd25519, spkiOf } from './testing/arbitrary-key.ts';

const keysOf = (count: number) =>
  fc.sample(fc.noBias(arbitraryEd25519), count).map((key) => parsePublicKey(spkiOf(key).toString('base64')));

test('a key is imported once, however it was spelt', () => {
  const [key] = keysOf(1);
  assert.equal(keyObjectOf(key!), keyObjectOf(parsePublicKey(key!.raw.toString('hex'))));
});

test('of 1025 keys the one not used for the longest time is imported again', () => {
  const [oldest, used, ...others] = keysOf(1025);
  const [first, second] = [keyObjectOf(oldest!), keyObjectOf(used!)];
  for (const key of others.slice(0, -1)) keyObjectOf(key);
  assert.equal(keyObjectOf(oldest!), first);
  for (const key of others.slice(-1)) keyObjectOf(key);
  assert.equal(keyObjectOf(oldest!), first);
  assert.notEqual(keyObjectOf(used!), second);
});
