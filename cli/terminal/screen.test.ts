import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScreen } from './screen.ts';

function terminal(columns = 20, rows = 6) {
  const written: string[] = [];
  return { written, stdout: { columns, rows, write: (text: string) => written.push(text) } as never };
}

test('the second drawing covers the first, and what did not change is not drawn', () => {
  const { written, stdout } = terminal();
  const screen = openScreen(stdout);
  screen.draw(['one', 'two', 'three']);
  screen.draw(['one', 'two', 'three']);
  screen.draw(['four']);
  screen.close();
  assert.deepEqual(written, [
    '\x1b[?25l',
    'one\x1b[K\ntwo\x1b[K\nthree\x1b[K\n\x1b[J',
    '\x1b[3A\rfour\x1b[K\n\x1b[J',
    '\x1b[?25h',
  ]);
});

test('lines that are too long or too many are cut, so that nothing scrolls', () => {
  const { written, stdout } = terminal(10, 4);
  openScreen(stdout).draw(['0123456789abc', 'b', 'c', 'd', 'e']);
  assert.equal(written[1], '01234567…\x1b[K\nb\x1b[K\nc\x1b[K\n\x1b[J');
});
