import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '#contract/client.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { createOrganization, listOrganizations } from '#contract/cloud/organizations.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { resultOf, runCli, runCloud, spawnCli } from '../child-process.ts';

function scratch(t: TestContext): { folder: string; env: { DATA_DIR: string } } {
  const folder = mkdtempSync(join(tmpdir(), 'ohmstead-copies-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, env: { DATA_DIR: join(folder, 'data') } };
}

async function newUser(baseUrl: string): Promise<Client> {
  const { publicKey: public_key, sign } = ed25519();
  const client = createClient({ baseUrl });
  await client.call(registerIdentity, { body: { public_key } });
  const { challenge } = await client.call(requestChallenge, { body: { public_key } });
  const { token } = await client.call(verifyChallenge, { body: { public_key, challenge, signature: sign(challenge) } });
  return createClient({ baseUrl, token });
}

const found = async (user: Client, name: string): Promise<void> => {
  await user.call(createOrganization, { body: { name } });
};

async function count(user: Client): Promise<number> {
  const ids = new Set<string>();
  for await (const { id } of user.pages(listOrganizations, { query: { limit: 1000 } })) ids.add(id);
  return ids.size;
}

/** Does something over and over while something else happens. */
async function during<T>(happens: Promise<T>, again: () => Promise<void>): Promise<T> {
  const over = new AbortController();
  const result = happens.finally(() => over.abort());
  while (!over.signal.aborted) await again();
  return result;
}

type Backup = { rows: { organizations: number } };

test('a backup is taken while requests write, and restored into the running platform', async (t) => {
  const { folder, env } = scratch(t);
  const { url } = await runCloud(t, env);
  const user = await newUser(url);
  for (let i = 0; i < 10; i++) await found(user, 'before');
  const copy = join(folder, 'copy');
  const { rows } = await during(resultOf<Backup>(['admin', 'backup', copy], env), () => found(user, 'meanwhile'));
  const all = await count(user);
  assert.ok(rows.organizations >= 10 && rows.organizations < all, `${rows.organizations} of ${all}`);

  const seen = new Set<number>();
  await during(resultOf(['admin', 'restore', copy, '--yes'], env), async () => {
    seen.add(await count(user));
  });
  assert.equal(await count(user), rows.organizations);
  for (const organizations of seen) assert.ok([all, rows.organizations].includes(organizations));
  await found(user, 'after');
  const safety = readdirSync(env.DATA_DIR).find((name) => name.startsWith('before-restore-'));
  await resultOf(['admin', 'restore', join(env.DATA_DIR, safety!), '--yes'], env);
  assert.equal(await count(user), all);
});

test('a restore without a terminal wants --yes, and a corrupted backup is refused', async (t) => {
  const { folder, env } = scratch(t);
  await resultOf(['admin', 'identity', 'create', '--type', 'root', '--new-key', join(folder, 'root.pem')], env);
  const copy = join(folder, 'copy');
  await resultOf(['admin', 'backup', copy], env);
  const unasked = await runCli(['admin', 'restore', copy], env);
  assert.equal(unasked.code, 2);
  assert.match(unasked.err, /There is no terminal to ask on; add --yes if so\./);

  writeFileSync(join(copy, 'cloud.db'), 'x', { flag: 'r+' });
  const { code, err } = await runCli(['admin', 'restore', copy, '--yes'], env);
  assert.deepEqual([code, err], [1, `The backup ${copy} cannot be used: cloud.db is not as it was written.\n`]);
  assert.equal(
    readdirSync(env.DATA_DIR).some((name) => name.startsWith('before-restore-')),
    false,
  );
});

test('an interrupted backup leaves nothing', async (t) => {
  const { folder, env } = scratch(t);
  await resultOf(['admin', 'identity', 'create', '--type', 'root', '--new-key', join(folder, 'root.pem')], env);
  writeFileSync(join(env.DATA_DIR, 'large'), '');
  truncateSync(join(env.DATA_DIR, 'large'), 2 ** 29); // takes long enough to be interrupted
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  const { child, outcome } = spawnCli(['admin', 'backup', join(copies, 'copy')], env);
  t.after(() => child.kill('SIGKILL'));
  while (readdirSync(copies).length === 0 && child.exitCode === null) await sleep(5);
  child.kill('SIGINT');
  const { code, err } = await outcome;
  assert.deepEqual([code, err], [130, 'Interrupted; nothing was changed.\n']);
  assert.deepEqual(readdirSync(copies), []);
});

for (const { command, tool } of [
  { command: 'backup', tool: 'pg_dump' },
  { command: 'restore', tool: 'pg_restore' },
]) {
  test(`${command} of PostgreSQL is left to ${tool}`, async () => {
    const { code, err } = await runCli(['admin', command, 'x'], { DATABASE_URL: 'postgres://localhost/x' });
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(`^The data is in PostgreSQL .*: use ${tool}, and copy the other files of ./data yourself\\.\\n$`),
    );
  });
}
