import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fits, readLine } from './log-line.ts';

const line = (fields: Record<string, unknown>): string =>
  JSON.stringify({ level: 'info', time: '2026-06-01T12:00:00.000Z', name: 'gateway', ...fields });

suite('a line of the log', () => {
  test('is read into what happened, when, and the rest', () => {
    const { level, atMs, message, more } = readLine(line({ sn: 'A1', count: 3, msg: 'device added' }));
    assert.deepEqual(
      { level, atMs, message, more },
      { level: 'info', atMs: Date.UTC(2026, 5, 1, 12), message: 'device added', more: 'sn=A1 count=3' },
    );
  });

  test('tells the reason of a failure without where in the program it was', () => {
    const { more } = readLine(line({ err: { message: 'No answer.', stack: 'at x' }, msg: 'failed' }));
    assert.equal(more, 'reason=No answer.');
  });

  for (const text of ['not JSON', '5', 'null', '{']) {
    test(`that is ${text} is shown as it is`, () => {
      assert.deepEqual(readLine(text), { level: 'info', atMs: undefined, message: text, more: '', text });
    });
  }

  for (const { says, level, least, words, isShown } of [
    { says: 'as loud as asked for', level: 'warn', least: 'warn', words: '', isShown: true },
    { says: 'louder', level: 'error', least: 'warn', words: '', isShown: true },
    { says: 'quieter', level: 'info', least: 'warn', words: '', isShown: false },
    { says: 'with the words in it', level: 'info', least: 'trace', words: ' DEVICE ', isShown: true },
    { says: 'without them', level: 'info', least: 'trace', words: 'broker', isShown: false },
  ]) {
    test(`${says} is ${isShown ? '' : 'not '}shown`, () => {
      assert.equal(fits(readLine(line({ level, msg: 'device added' })), least, words), isShown);
    });
  }
});
