import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { versionOf } from './version.ts';

test('a version is the last commit that changed more than documents, and unknown without git or with changes', (t) => {
  const folder = temporaryFolder(t);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const commit = (): void => {
    git('add', '.');
    git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-q', '-m', 'next');
  };
  assert.equal(versionOf(folder), undefined);
  git('init', '-q');
  assert.equal(versionOf(folder), undefined);

  write('code.ts', 'one');
  commit();
  const first = versionOf(folder)!;
  assert.ok(first && git('rev-parse', 'HEAD').startsWith(first));

  mkdirSync(join(folder, 'docs'));
  write('docs/guarantees.md', 'figures');
  write('README.md', 'figures');
  assert.equal(versionOf(folder), first);
  commit();
  assert.equal(versionOf(folder), first);

  write('code.ts', 'two');
  assert.equal(versionOf(folder), undefined);
  commit();
  assert.ok(git('rev-parse', 'HEAD').startsWith(versionOf(folder)!));
});
