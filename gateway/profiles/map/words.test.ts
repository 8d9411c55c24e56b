import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from '../testing/encode.ts';
import { textOf } from './words.ts';

for (const { says, words, found } of [
  { says: 'a text that is filled up with NUL', words: text('A2-17', 8), found: 'A2-17' },
  { says: 'a text that is filled up with ones', words: [...text('A2-178', 3), 0xffff, 0xffff], found: 'A2-178' },
  { says: 'a text that ends inside a register', words: [0x4132, 0x37ff, 0xffff], found: 'A27' },
  { says: 'a text that takes all the room, with blanks around it', words: text(' A2 ', 2), found: 'A2' },
  { says: 'nothing but ones', words: [0xffff, 0xffff], found: '' },
  { says: 'nothing but NUL', words: [0, 0], found: '' },
  { says: 'numbers, which are no text', words: [0x0102, 0x4132], found: undefined },
]) {
  test(`${says} is ${found === undefined ? 'undefined' : `"${found}"`}`, () => assert.equal(textOf(words), found));
}
