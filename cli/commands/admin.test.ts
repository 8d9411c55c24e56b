import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Client, createClient } from '#contract/client.ts';
import { getJwks, getMe, type Identity, requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { p256 } from '#test/cloud/people.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { runCli, runCloud, spawnCli } from '../testing/child-process.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';
import { openPlatform } from '../testing/people.ts';

function scratch(t: TestContext): { folder: string; env: Record<string, string> } {
  const folder = temporaryFolder(t);
  return { folder, env: { DATA_DIR: join(folder, 'data') } };
}

/** Runs a platform in this process until the test ends. */
async function openHere(t: TestContext, env: Record<string, string>): Promise<{ url: string }> {
  const platform = await openPlatform(env);
  t.after(() => platform.close());
  return platform;
}

const create = (type: string, keyFile: string): string[] => [
  'admin',
  'identity',
  'create',
  '--type',
  type,
  '--new-key',
  keyFile,
];

async function signIn(url: string, publicKey: string, keyFile: string): Promise<Client> {
  const client = createClient({ baseUrl: url });
  const { challenge } = await client.call(requestChallenge, { body: { public_key: publicKey } });
  const key = createPrivateKey(readFileSync(keyFile));
  const hash = key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  const signature = sign(hash, Buffer.from(challenge), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const { token } = await client.call(verifyChallenge, { body: { public_key: publicKey, challenge, signature } });
  return createClient({ baseUrl: url, token });
}

const isRefused = (client: Client): Promise<boolean> =>
  client.call(getMe).then(
    () => false,
    ({ code }: { code: string }) => code === 'unauthenticated',
  );

test('an identity made before the first start signs in, until it is disabled beside the running platform', async (t) => {
  const { folder, env } = scratch(t);
  const keyFile = join(folder, 'root.pem');
  const root = await resultOf<Identity>(create('root', keyFile), env);
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.match(readFileSync(keyFile, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);

  const { url } = await runCloud(t, env);
  const client = await signIn(url, root.public_key, keyFile);
  assert.equal((await client.call(getMe)).type, 'root');

  await resultOf(['admin', 'identity', 'disable', root.identity_id], env);
  await until(() => isRefused(client));
  await assert.rejects(signIn(url, root.public_key, keyFile), /disabled by the operator/);

  await resultOf(['admin', 'identity', 'enable', root.identity_id], env);
  await until(async () => !(await isRefused(client)));
  const { out } = await runInProcess(['admin', 'identity', 'list'], env);
  assert.match(out, new RegExp(`${root.identity_id} +root +- `));
});

test('each type gets a key of its algorithm', async (t) => {
  const { folder, env } = scratch(t);
  const internal = await resultOf<Identity>(create('internal', join(folder, 'internal.pem')), env);
  const { url } = await openHere(t, env);
  const client = await signIn(url, internal.public_key, join(folder, 'internal.pem'));
  assert.equal((await client.call(getMe)).type, 'internal');
});

test('a key file is never overwritten, and none stays behind a failure', async (t) => {
  const { folder, env } = scratch(t);
  const keyFile = join(folder, 'ada.pem');
  await resultOf(create('user', keyFile), env);
  const before = readFileSync(keyFile, 'utf8');
  const { code, err } = await runInProcess(create('user', keyFile), env);
  assert.deepEqual([code, err], [1, `The file ${keyFile} already exists; it was not changed.\n`]);
  assert.equal(readFileSync(keyFile, 'utf8'), before);

  const refused = await runInProcess([...create('user', join(folder, 'eve.pem')), '--name', ' '], env);
  assert.equal(refused.code, 1);
  assert.deepEqual(readdirSync(folder).sort(), ['ada.pem', 'data']);
});

test('an invalid key is refused with a message', async (t) => {
  const { env } = scratch(t);
  const { code, err } = await runInProcess(['admin', 'identity', 'create', '--type', 'user', '--public-key', 'x'], env);
  assert.equal(code, 1);
  assert.match(err, /^This is not .*\n$/);
});

test('a data folder without a database is not made by looking at it', async (t) => {
  const { folder, env } = scratch(t);
  const { code, err } = await runInProcess(['admin', 'identity', 'list'], env);
  assert.equal(code, 1);
  assert.match(err, /^No database in .*\n$/);
  assert.deepEqual(readdirSync(folder), []);
});

test('rotated keys are published by the running platform', async (t) => {
  const { env } = scratch(t);
  const { url } = await openHere(t, env);
  const client = createClient({ baseUrl: url });
  const rotated = await resultOf<{ kid: string; stage: string }[]>(['admin', 'keys', 'rotate'], env);
  assert.deepEqual(rotated.map(({ stage }) => stage).sort(), ['current', 'next', 'retiring']);
  await until(async () => (await client.call(getJwks)).keys.length === 3);
  const { out } = await runInProcess(['admin', 'keys', 'list', '--json'], env);
  assert.doesNotMatch(out, /PRIVATE/);
});

test('after a leak one command signs everybody out of the running platform, and new sign-ins work', async (t) => {
  const { folder, env } = scratch(t);
  const keyFile = join(folder, 'root.pem');
  const root = await resultOf<Identity>(create('root', keyFile), env);
  const { url } = await openHere(t, env);
  const client = await signIn(url, root.public_key, keyFile);
  const before = await resultOf<{ kid: string }[]>(['admin', 'keys', 'list'], env);
  const internalToken = readFileSync(join(env.DATA_DIR!, 'internal-token'), 'utf8');

  const unsure = await runInProcess(['admin', 'keys', 'rotate', '--compromised'], env);
  assert.match(unsure.err, /signs out all users.*--yes/);
  assert.equal(await isRefused(client), false);

  const keys = await resultOf<{ kid: string; stage: string }[]>(
    ['admin', 'keys', 'rotate', '--compromised', '--yes'],
    env,
  );
  assert.deepEqual(keys.map(({ stage }) => stage).sort(), ['current', 'next']);
  assert.ok(!keys.some(({ kid }) => before.some((old) => old.kid === kid)));
  assert.notEqual(readFileSync(join(env.DATA_DIR!, 'internal-token'), 'utf8'), internalToken);
  await until(() => isRefused(client), Boolean, 15_000);
  assert.equal(await isRefused(await signIn(url, root.public_key, keyFile)), false);
});

test('a gateway is allowed, listed and forgotten', async (t) => {
  const { env } = scratch(t);
  const { publicKey } = p256();
  await resultOf(['admin', 'gateway', 'allow', 'garage-7', publicKey], env);
  const [gateway] = await resultOf<Record<string, unknown>[]>(['admin', 'gateway', 'list'], env);
  assert.deepEqual([gateway?.gateway_serial, gateway?.listed, gateway?.device_count], ['garage-7', true, 0]);
  const other = await runInProcess(['admin', 'gateway', 'allow', 'garage-7', p256().publicKey], env);
  assert.deepEqual([other.code, other.err], [1, 'The serial is bound to another key.\n']);
  await resultOf(['admin', 'gateway', 'forget', 'garage-7'], env);
  assert.deepEqual(await resultOf(['admin', 'gateway', 'list'], env), []);
});

test('the same commands work on PostgreSQL', { skip: postgresMissing() }, async (t) => {
  const { folder, env } = scratch(t);
  const database = await freshDatabase();
  t.after(() => database.drop());
  const postgres = { ...env, DATABASE_URL: database.url };
  const made = await resultOf<Identity>(create('admin', join(folder, 'admin.pem')), postgres);
  const listed = await resultOf<Identity[]>(['admin', 'identity', 'list'], postgres);
  assert.deepEqual(
    listed.map(({ identity_id }) => identity_id),
    [made.identity_id],
  );
  assert.deepEqual(readdirSync(folder), ['admin.pem']);
});

test('what a move to PostgreSQL left in the data folder is not worked on', { skip: postgresMissing() }, async (t) => {
  const { folder, env } = scratch(t);
  const database = await freshDatabase();
  t.after(() => database.drop());
  const { identity_id } = await resultOf<Identity>(create('admin', join(folder, 'admin.pem')), env);
  const postgres = { ...env, DATABASE_URL: database.url };
  await (await openPlatform(postgres)).close();
  const refusal =
    /^This platform keeps its data in PostgreSQL; set DATABASE_URL .+ delete .+data-is-in-postgresql\.\n$/;
  for (const args of [
    ['admin', 'identity', 'disable', identity_id],
    create('admin', join(folder, 'other.pem')),
    ['backup', join(folder, 'copy')],
  ]) {
    const { code, err } = await runInProcess(args, env);
    assert.equal(code, 1);
    assert.match(err, refusal);
  }
  assert.match((await runCli(['cloud'], { ...env, CLOUD_PORT: '0' })).err, refusal);
  const { out } = await runInProcess(['doctor'], env);
  assert.match(out, /keeps its data in PostgreSQL/);
  assert.deepEqual(await resultOf(['admin', 'identity', 'list'], postgres), []);

  rmSync(join(env.DATA_DIR!, 'data-is-in-postgresql'));
  await (await openPlatform(env)).close();
  assert.equal((await resultOf<Identity[]>(['admin', 'identity', 'list'], env)).length, 1);
});

test('a database that is away is waited for with one plain line', async (t) => {
  let attempts = 0;
  const away = createServer((socket) => {
    attempts++;
    socket.destroy();
  });
  const port = await listenOnLoopback(away);
  t.after(() => away.close());
  const env = { ...scratch(t).env, DATABASE_URL: `postgres://127.0.0.1:${port}/energy` };
  const { child, outcome } = spawnCli(['admin', 'identity', 'list'], env);
  await until(
    () => attempts,
    (count) => count >= 4,
  );
  child.kill('SIGKILL');
  assert.equal((await outcome).err, 'The database does not answer; waiting for up to a minute.\n');
});

test('a key that could not be written leaves no file behind', async (t) => {
  const { folder, env } = scratch(t);
  const keyFile = join(folder, 'admin.pem');
  const ohmstead = [process.execPath, join(import.meta.dirname, '../main.js'), ...create('admin', keyFile)];
  const noRoom = spawnSync('/bin/sh', ['-c', 'ulimit -f 0 && exec "$@"', 'sh', ...ohmstead], { env, encoding: 'utf8' });
  assert.match(noRoom.stderr, /EFBIG/);
  assert.equal(existsSync(keyFile), false);
  await resultOf(create('admin', keyFile), env);
});
