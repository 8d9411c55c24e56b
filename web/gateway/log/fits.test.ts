import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLogLine } from '../../parts/log-line.ts';
import { fits } from './fits.ts';

for (const { says, level, least, words, isShown } of [
  { says: 'as loud as asked for', level: 'warn', least: 'warn', words: '', isShown: true },
  { says: 'louder', level: 'error', least: 'warn', words: '', isShown: true },
  { says: 'quieter', level: 'info', least: 'warn', words: '', isShown: false },
  { says: 'with the words in it', level: 'info', least: 'trace', words: ' DEVICE ', isShown: true },
  { says: 'without them', level: 'info', least: 'trace', words: 'broker', isShown: false },
] as const) {
  test(`a line of the log ${says} is ${isShown ? '' : 'not '}shown`, () => {
    assert.equal(fits(readLogLine(JSON.stringify({ level, msg: 'device added' })), least, words), isShown);
  });
}
