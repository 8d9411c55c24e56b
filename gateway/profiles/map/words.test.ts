import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../testing/encode.ts';
import { textOf } from './words.ts';

for (const { says, words, found } of [
  { says: 'text padded with NUL', words: text('A2-17', 8), found: 'A2-17' },
  { says: 'text padded with 0xFF', words: [...text('A2-178', 3), 0xffff, 0xffff], found: 'A2-178' },
  { says: 'text that ends within a register', words: [0x4132, 0x37ff, 0xffff], found: 'A27' },
  { says: 'text without padding, surrounded by blanks', words: text(' A2 ', 2), found: 'A2' },
  { says: 'only 0xFF', words: [0xffff, 0xffff], found: '' },
  { says: 'only NUL', words: [0, 0], found: '' },
  { says: 'unprintable bytes', words: [0x0102, 0x4132], found: undefined },
]) {
  test(`${says} is ${found === undefined ? 'undefined' : `"${found}"`}`, () => assert.equal(textOf(words), found));
}
