import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '#contract/client.ts';
import { registerIdentity, requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { createOrganization, listOrganizations } from '#contract/cloud/organizations.ts';
import { createMarkers } from '#gateway/control/control-journal.ts';
import { ed25519 } from '#test/cloud/people.ts';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { type Outcome, runCloud, spawnCli } from '../testing/child-process.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';

function scratch(t: TestContext): { folder: string; env: { DATA_DIR: string } } {
  const folder = temporaryFolder(t);
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
  const unasked = await runInProcess(['admin', 'restore', copy], env);
  assert.equal(unasked.code, 2);
  assert.match(unasked.err, /There is no terminal to confirm this on; add --yes to go ahead\./);

  writeFileSync(join(copy, 'cloud.db'), 'x', { flag: 'r+' });
  const { code, err } = await runInProcess(['admin', 'restore', copy, '--yes'], env);
  assert.deepEqual([code, err], [1, `The backup ${copy} cannot be used: cloud.db has changed since it was written.\n`]);
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
    const { code, err } = await runInProcess(['admin', command, 'x'], { DATABASE_URL: 'postgres://localhost/x' });
    assert.equal(code, 1);
    assert.match(
      err,
      new RegExp(`^The data is in PostgreSQL .*: use ${tool}, and copy the other files of ./data yourself\\.\\n$`),
    );
  });
}

/** `ohmstead gateway` on any free port, once it answers, until the test ends. */
async function runGateway(
  t: TestContext,
  dataDir: string,
): Promise<{ url: string; serial: string; stop(): Promise<Outcome> }> {
  const env = { GATEWAY_DATA_DIR: dataDir, GATEWAY_PORT: '0', GATEWAY_HOST: '127.0.0.1', MDNS: 'false' };
  const { child, outcome } = spawnCli(['gateway'], env);
  t.after(() => child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout!)) {
    const { msg, port, serial } = JSON.parse(line) as { msg: string; port: number; serial: string };
    if (msg !== 'gateway started') continue;
    child.stdout!.resume();
    const stop = (): Promise<Outcome> => {
      child.kill('SIGTERM');
      return outcome;
    };
    return { url: `http://127.0.0.1:${port}`, serial, stop };
  }
  throw new Error((await outcome).err);
}

type Restored = { safety_copy: string | null };

test('a gateway is copied while it runs, and is itself again elsewhere; one that runs is not overwritten', async (t) => {
  const { folder } = scratch(t);
  const [data, copy, other] = ['gateway', 'copy', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const gateway = await runGateway(t, data);
  const { files } = await resultOf<{ files: { path: string }[] }>(['backup', copy, '--gateway'], {
    GATEWAY_DATA_DIR: data,
  });
  const paths = files.map(({ path }) => path);
  assert.ok(paths.includes('identity/key.pem') && paths.includes('local-token'), paths.join());
  assert.ok(!paths.some((path) => /^(lock|cache)/.test(path)), paths.join());

  const refused = await runInProcess(['restore', copy, '--yes', '--gateway-data', data]);
  assert.deepEqual([refused.code, refused.err], [1, `The gateway of ${data} runs; stop it first.\n`]);
  await gateway.stop();

  const stranger = await openGateway({ GATEWAY_DATA_DIR: other });
  assert.notEqual(stranger.serial, gateway.serial);
  await stranger.close();
  const { safety_copy } = await resultOf<Restored>(['restore', copy, '--yes', '--gateway-data', other]);
  assert.ok(existsSync(join(safety_copy!, 'identity/key.pem')));
  const moved = await openGateway({ GATEWAY_DATA_DIR: other });
  assert.equal(moved.serial, gateway.serial);
  await moved.close();
});

test('the backup of a platform takes a gateway with it, from its folder or from the one that is named', async (t) => {
  const { folder, env } = scratch(t);
  await resultOf(['admin', 'identity', 'create', '--type', 'root', '--new-key', join(folder, 'root.pem')], env);
  const outside = join(folder, 'gateway');
  const before = await openGateway({ GATEWAY_DATA_DIR: outside });
  await before.close();
  const named = ['--gateway-data', outside];
  const copies = { outside: join(folder, 'copy-1'), inside: join(folder, 'copy-2') };
  await resultOf(['backup', copies.outside, ...named], env);

  // Restored without a name it comes to lie in the data folder, and is then taken from there.
  await resultOf(['restore', copies.outside, '--yes'], env);
  const again = await resultOf<{ files: { path: string }[] }>(['backup', copies.inside], env);
  assert.ok(again.files.some(({ path }) => path === 'gateway/identity/key.pem'));
  const gateway = await runGateway(t, join(env.DATA_DIR, 'gateway'));
  assert.equal(gateway.serial, before.serial);

  const refused = await runInProcess(['restore', copies.inside, '--yes'], env);
  assert.deepEqual(
    [refused.code, refused.err],
    [1, `The gateway of ${join(env.DATA_DIR, 'gateway')} runs; stop it first.\n`],
  );
  await resultOf(['restore', copies.inside, '--yes', '--without-gateway'], env);
  assert.equal((await fetch(`${gateway.url}/health`)).status, 200);
  const two = await runInProcess(['backup', join(folder, 'copy-3'), ...named], env);
  assert.match(two.err, /^.* already contains a gateway; back up .* separately with backup --gateway\.\n$/);
});

test('a gateway that has a device in its hand is refused before anything of the platform is replaced', async (t) => {
  const { folder, env } = scratch(t);
  const addIdentity = (name: string) =>
    resultOf(['admin', 'identity', 'create', '--type', 'root', '--new-key', join(folder, `${name}.pem`)], env);
  const inside = join(env.DATA_DIR, 'gateway');
  await addIdentity('one');
  await (await openGateway({ GATEWAY_DATA_DIR: inside })).close();
  const copy = join(folder, 'copy');
  await resultOf(['backup', copy], env);
  await addIdentity('two');
  const markers = createMarkers(join(inside, 'control'));
  await markers.load();
  await markers.write({ id: 'a', sn: 'BAT-1' } as Parameters<typeof markers.write>[0]);
  const { code, err } = await runInProcess(['restore', copy, '--yes'], env);
  assert.equal(code, 1);
  assert.match(err, /^The gateway still controls BAT-1; start it once/);
  assert.equal((await resultOf<unknown[]>(['admin', 'identity', 'list'], env)).length, 2);
  assert.ok(!readdirSync(env.DATA_DIR).some((name) => name.startsWith('before-restore-')));
});

for (const { args, says } of [
  { args: ['backup', 'x', '--gateway', '--gateway-data', '/none'], says: 'No gateway found in /none.' },
  {
    args: ['restore', '/none', '--yes'],
    says: 'The backup /none cannot be used: its manifest.json is missing or unreadable.',
  },
]) {
  test(`"${args.join(' ')}" is answered with: ${says}`, async () => {
    const { code, err } = await runInProcess(args);
    assert.deepEqual([code, err], [1, `${says}\n`]);
  });
}
