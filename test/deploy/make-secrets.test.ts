import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { hostUrls } from '#cloud/store/host-urls.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { readCompose } from './compose-file.ts';

test('make-secrets creates the secrets in compose.yaml, readable for nobody else, and only once', async (t) => {
  const folder = temporaryFolder(t);
  const program = join(folder, 'make-secrets');
  await cp(join(root, 'deploy/make-secrets'), program);
  const make = async (): Promise<Record<string, string>> => {
    await promisify(execFile)(program);
    const names = await readdir(join(folder, 'secrets'));
    const texts = names.map(async (name) => [name, await readFile(join(folder, 'secrets', name), 'utf8')]);
    return Object.fromEntries(await Promise.all(texts));
  };
  const secrets = await make();
  const wanted = Object.values(readCompose().secrets).map(({ file }) => basename(file));
  assert.deepEqual(Object.keys(secrets).toSorted(), wanted);
  assert.equal((await stat(join(folder, 'secrets'))).mode & 0o777, 0o700);

  const random = ['internal_token', 'erlang_cookie', 'grafana_password', 'database_password', 'broker_password'];
  for (const name of random) assert.match(secrets[name]!, /^[0-9a-f]{48}\n$/, name);
  assert.equal(new Set(random.map((name) => secrets[name])).size, random.length);
  for (const url of [secrets.database_url!, ...hostUrls(secrets.database_hosts_url!)])
    assert.equal(new URL(url).password, secrets.database_password!.trim());
  for (const name of ['broker_url', 'broker_management_url']) {
    for (const url of secrets[name]!.split(',')) assert.equal(new URL(url).password, secrets.broker_password!.trim());
  }

  assert.deepEqual(await make(), secrets);
});
