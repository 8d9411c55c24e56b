import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLogLine } from './log-line.ts';

test('a line of a gateway is its sentence, with the other fields beside it', () => {
  const line =
    '{"level":"warn","time":"2026-06-01T12:00:00.000Z","name":"gateway","sn":"A1","tries":3,"msg":"device lost"}';
  assert.deepEqual(readLogLine(line), {
    level: 'warn',
    text: 'device lost',
    atMs: Date.UTC(2026, 5, 1, 12),
    more: 'sn=A1 tries=3',
  });
});

test('of an error the sentence is shown, not the stack', () => {
  const line = '{"level":"error","msg":"failed","err":{"message":"no route","stack":"at x"}}';
  assert.equal(readLogLine(line).more, 'err=no route');
});

for (const line of ['plain words', '[1]', 'null', '7', '']) {
  test(`"${line}" is shown as it is`, () => {
    assert.deepEqual(readLogLine(line), { level: 'info', text: line, atMs: undefined, more: '' });
  });
}

test('a level that is not known is an ordinary line', () => {
  assert.equal(readLogLine('{"level":"constructor","msg":"x"}').level, 'info');
});
