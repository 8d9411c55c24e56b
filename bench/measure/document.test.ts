import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { writeTables } from './document.ts';

const text = ['<!-- bench: http login -->', '', '| What |', '| --- |', '| 5 ms |', '', '<!-- end -->', ''].join('\n');
const found = { what: 'an answer', value: 3, unit: 'ms', against: '', ratio: null, rounds: 5 };

test('a table stands as it is until all of its benches have a result', (t) => {
  const file = join(temporaryFolder(t), 'performance.md');
  writeFileSync(file, text);
  assert.deepEqual(writeTables(file, []), ['http', 'login']);
  assert.deepEqual(writeTables(file, [{ bench: 'http', ...found }]), ['login']);
  assert.equal(readFileSync(file, 'utf8'), text);

  const results = ['http', 'login', 'claim'].map((bench) => ({ bench, ...found }));
  assert.deepEqual(writeTables(file, results), []);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| an answer'));
  assert.deepEqual(rows, Array(2).fill('| an answer | 3 ms |  |  | 5 |  |'));
});
