import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readLogLine } from './log-line.ts';

const line = (fields: Record<string, unknown>): string =>
  JSON.stringify({ level: 'warn', time: '2026-06-01T12:00:00.000Z', name: 'gateway', ...fields });

suite('a line of the log', () => {
  test('is read into what happened, when, and the rest', () => {
    const text = line({ sn: 'A1', tries: 3, place: { port: 502 }, msg: 'device lost' });
    assert.deepEqual(readLogLine(text), {
      level: 'warn',
      atMs: Date.UTC(2026, 5, 1, 12),
      message: 'device lost',
      more: 'sn=A1 tries=3 place={"port":502}',
      text,
    });
  });

  test('tells the reason of a failure without where in the program it was', () => {
    const { more } = readLogLine(line({ err: { message: 'No answer.', stack: 'at x' }, sn: 'A1', msg: 'failed' }));
    assert.equal(more, 'sn=A1 reason=No answer.');
  });

  for (const text of ['plain words', '[1]', 'null', '7', '{', '']) {
    test(`that is "${text}" is shown as it is`, () => {
      assert.deepEqual(readLogLine(text), { level: 'info', atMs: undefined, message: text, more: '', text });
    });
  }

  for (const level of ['constructor', 30, undefined]) {
    test(`of the level ${level} is an ordinary one`, () => {
      assert.equal(readLogLine(line({ level, msg: 'x' })).level, 'info');
    });
  }
});
