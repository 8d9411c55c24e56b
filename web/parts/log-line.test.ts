import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { matchesFilter, readLogLine } from './log-line.ts';

const line = (fields: Record<string, unknown>): string =>
  JSON.stringify({ level: 'warn', time: '2026-06-01T12:00:00.000Z', name: 'gateway', ...fields });

suite('a log line', () => {
  test('is split into level, time, message and other fields', () => {
    const text = line({ sn: 'A1', tries: 3, place: { port: 502 }, msg: 'device lost' });
    assert.deepEqual(readLogLine(text), {
      level: 'warn',
      atMs: Date.UTC(2026, 5, 1, 12),
      message: 'device lost',
      more: 'sn=A1 tries=3 place={"port":502}',
      text,
    });
  });

  test('contains the message of an error without its stack', () => {
    const { more } = readLogLine(line({ err: { message: 'No answer.', stack: 'at x' }, sn: 'A1', msg: 'failed' }));
    assert.equal(more, 'sn=A1 reason=No answer.');
  });

  for (const text of ['plain words', '[1]', 'null', '7', '{', '']) {
    test(`"${text}", which is not a JSON object, is the message itself`, () => {
      assert.deepEqual(readLogLine(text), { level: 'info', atMs: undefined, message: text, more: '', text });
    });
  }

  for (const level of ['constructor', 30, undefined]) {
    test(`with the unknown level ${level} has the level info`, () => {
      assert.equal(readLogLine(line({ level, msg: 'x' })).level, 'info');
    });
  }

  for (const { says, level, minLevel, search, isShown } of [
    { says: 'of the chosen level', level: 'warn', minLevel: 'warn', search: '', isShown: true },
    { says: 'of a more severe level', level: 'error', minLevel: 'warn', search: '', isShown: true },
    { says: 'of a less severe level', level: 'info', minLevel: 'warn', search: '', isShown: false },
    { says: 'with the search text', level: 'info', minLevel: 'trace', search: ' DEVICE ', isShown: true },
    { says: 'without the search text', level: 'info', minLevel: 'trace', search: 'broker', isShown: false },
  ] as const) {
    test(`${says} is ${isShown ? '' : 'not '}shown`, () => {
      assert.equal(matchesFilter(readLogLine(line({ level, msg: 'device added' })), minLevel, search), isShown);
    });
  }
});
