import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clip, printable } from './output.ts';

test('text from elsewhere neither moves the cursor nor colours the terminal', () => {
  assert.equal(printable('a\u001b[31mred\u0007\r\nb\u009b2J'), 'a [31mred   b 2J');
  assert.equal(printable('Grön 🌞'), 'Grön 🌞');
});

test('a line that is too long ends with an ellipsis where it is cut', () => {
  assert.deepEqual([clip('abcd', 4), clip('abcde', 4), clip('ab', 1)], ['abcd', 'abc…', '…']);
});
