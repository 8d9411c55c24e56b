import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { newSecret, secretFile } from './secret.ts';

function fileIn(t: TestContext, content?: string): { folder: string; path: string } {
  const folder = temporaryFolder(t);
  const path = join(folder, 'token');
  if (content !== undefined) writeFileSync(path, content);
  return { folder, path };
}

test('a secret is created once, readable by its owner only, without leftover files', (t) => {
  const { folder, path } = fileIn(t);
  const secret = secretFile(path);
  assert.match(secret, /^[\w-]{43}$/);
  assert.equal(secretFile(path), secret);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['token']);
});

test('a secret that an operator wrote is used as it is', (t) => {
  assert.equal(secretFile(fileIn(t, 'of-my-own\n').path), 'of-my-own');
});

for (const content of ['', '\n']) {
  test(`a file of ${content.length} empty lines gets a new secret`, (t) => {
    const { path } = fileIn(t, content);
    const secret = secretFile(path);
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal(secretFile(path), secret);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });
}

test('a secret never begins with a hyphen, so that a command does not take it for an option', () => {
  for (let i = 0; i < 2000; i++) assert.match(newSecret(), /^\w[\w-]{42}$/);
});
