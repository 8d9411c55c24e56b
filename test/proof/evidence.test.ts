import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { evidence, skippedEvidence, unacceptable } from './evidence.ts';
import { bugs } from './planted/bugs.ts';

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => letter + String(index + 1).padStart(2, '0'));

test('there is evidence for every attack and every fault', () => {
  assert.deepEqual(Object.keys(evidence), [...numbered('A', 73), ...numbered('F', 32)]);
});

test('the test files named as evidence exist', () => {
  for (const [id, entry] of Object.entries(evidence)) {
    if (!('tests' in entry)) continue;
    assert.ok(entry.tests.length > 0, `${id} names no test`);
    for (const file of entry.tests) assert.ok(existsSync(join(root, file)), `${id}: ${file} does not exist`);
  }
});

// Checks of source text and of concurrency, whose tests plant bugs of their own.
const plantedElsewhere = ['A16', 'A52', 'A71', 'A72'];

test('each attack and fault has a planted bug', () => {
  const proven = new Set(bugs.flatMap(({ proves }) => proves));
  const missing = Object.entries(evidence)
    .filter(([id, entry]) => 'tests' in entry && !proven.has(id))
    .map(([id]) => id);
  assert.deepEqual(missing, plantedElsewhere);
});

test('a skipped test that counts as evidence is reported, and fails a CI run unless the machine lacks something', () => {
  const file = 'test/faults/full-disk.test.ts';
  const bearable = { file, title: 'a full disk', reason: 'a small disk cannot be mounted here' };
  const careless = { file, title: 'another', reason: 'slow' };
  const unrelated = { file: 'web/chart/axes.test.ts', title: 'axes', reason: 'slow' };
  assert.deepEqual(skippedEvidence([bearable, careless, unrelated]), [bearable, careless]);
  assert.deepEqual(unacceptable([bearable, careless, unrelated]), [careless]);
});
