import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { versionOf } from './version.ts';

test('a version is the commit, and unknown without git', (t) => {
  const folder = temporaryFolder(t);
  assert.equal(versionOf(folder), undefined);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  git('init', '-q');
  assert.equal(versionOf(folder), undefined);
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'first');
  assert.ok(git('rev-parse', 'HEAD').startsWith(versionOf(folder)!));
});
