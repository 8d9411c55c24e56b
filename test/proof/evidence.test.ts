import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { evidence } from './evidence/all.ts';
import { bugs } from './planted/bugs.ts';
import { hasTest } from './test-titles.ts';

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => letter + String(index + 1).padStart(2, '0'));

test('there is evidence for every attack and every fault, once', () => {
  assert.deepEqual(evidence.map(({ id }) => id).toSorted(), [...numbered('A', 73), ...numbered('F', 30)]);
});

test('of every attack and every fault a bug is planted that a file of its evidence has to notice', () => {
  const unnoticed = evidence.filter((entry) => {
    const files = 'tests' in entry ? entry.tests.map(({ file }) => file) : [];
    return files.length > 0 && !bugs.some((bug) => bug.proves.includes(entry.id) && files.includes(bug.noticedBy));
  });
  assert.deepEqual(
    unnoticed.map(({ id }) => id),
    [],
  );
});

test('every test that stands as evidence is there, under its title', () => {
  const missing = evidence.flatMap((entry) => {
    if (!('tests' in entry)) return entry.reason.length > 0 ? [] : [`${entry.id} has no reason`];
    const named = entry.tests.filter(({ file, title }) => {
      const path = join(root, file);
      return !file.endsWith('.test.ts') || !existsSync(path) || !hasTest(readFileSync(path, 'utf8'), title);
    });
    if (entry.tests.length === 0) return [`${entry.id} names no test`];
    return named.map(({ file, title }) => `${entry.id}: ${file} has no ${title}`);
  });
  assert.deepEqual(missing, []);
});
