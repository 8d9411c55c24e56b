import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../../source-files.ts';
import { bugs, harmless } from './bugs.ts';
import { plantAll } from './plant.ts';

suite('planted bugs', () => {
  test('have different names', () => {
    assert.equal(new Set(bugs.map(({ id }) => id)).size, bugs.length);
  });

  test('are in every part of the product', () => {
    const parts = new Set(bugs.map(({ module }) => module.split('/')[0]));
    assert.deepEqual(
      [...parts].toSorted((one = '', other = '') => one.localeCompare(other)),
      ['cli', 'cloud', 'contract', 'gateway', 'lib', 'price', 'web'],
    );
  });

  test('import only types of the product: a module that is loaded before cannot be replaced', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const text = readFileSync(join(import.meta.dirname, file), 'utf8');
      assert.doesNotMatch(text, /^import (?!type )[^;]*from '#/m, file);
    }
  });

  test('replace exports that exist, and name a test file that exists', async () => {
    for (const { id, module, replace, noticedBy } of bugs) {
      const exported = await import(pathToFileURL(join(root, module)).href);
      for (const name of Object.keys(replace)) assert.ok(name in exported, `${id}: ${module} does not export ${name}`);
      assert.ok(existsSync(join(root, noticedBy)), `${id}: ${noticedBy} does not exist`);
    }
  });
});

test('a planted bug is noticed, and a change of nothing is not', { timeout: 120_000 }, async () => {
  const discharge = bugs.filter(({ id }) => id === 'discharge charges');
  const verdicts = await plantAll([...discharge, harmless]);
  assert.deepEqual(Object.fromEntries(verdicts.map(({ bug, verdict }) => [bug.id, verdict])), {
    'discharge charges': 'noticed',
    'nothing is changed': 'survived',
  });
});
