import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { makeKey } from '#contract/client/key.ts';
import { createClient } from '#contract/client.ts';
import { getMe } from '#contract/cloud/identity.ts';
import { writeJson } from '#lib/atomic-file.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import type { SignIn, SignIns } from '../sign-in/sign-ins.ts';
import { openPlatform, type Person } from '../testing/people.ts';

const signInsOf = ({ configFolder }: Person): SignIns =>
  JSON.parse(readFileSync(join(configFolder, 'sign-ins.json'), 'utf8')).data;

const rewrite = (person: Person, change: (signIn: SignIn) => void): Promise<void> => {
  const signIns = signInsOf(person);
  for (const signIn of Object.values(signIns.platforms)) change(signIn);
  return writeJson(join(person.configFolder, 'sign-ins.json'), signIns);
};

const modeOf = (path: string): number => statSync(path).mode & 0o777;

suite('signing in', async () => {
  const platform = await openPlatform();
  const { url } = platform;
  after(() => platform.close());

  test('the first time makes a key that only its owner reads, and says where it is', async () => {
    const ada = platform.stranger();
    const { code, out, err } = await ada.run('login', url, '--name', 'Ada');
    assert.deepEqual([code, err], [0, '']);
    const keyFile = join(ada.configFolder, 'identity.pem');
    assert.match(
      out,
      new RegExp(`^Signed in to ${url} as Ada \\(idt-.+\\)\\.\nYour new private key is in ${keyFile}\\. `),
    );
    assert.match(readFileSync(keyFile, 'utf8'), /^-----BEGIN PRIVATE KEY-----/);
    assert.equal(modeOf(ada.configFolder), 0o700);
    for (const file of readdirSync(ada.configFolder)) {
      if (file !== 'lock') assert.equal(modeOf(join(ada.configFolder, file)), 0o600, file);
    }
  });

  test('the second time uses the same key and is the same identity', async () => {
    const ada = platform.stranger();
    const first = await ada.result<{ identity_id: string; is_new_key: boolean }>('login', url);
    const second = await ada.result<{ identity_id: string; is_new_key: boolean }>('login');
    assert.deepEqual([first.is_new_key, second.is_new_key], [true, false]);
    assert.equal(second.identity_id, first.identity_id);
  });

  test('a key of elsewhere is used where it is; one that others can read is warned of', async () => {
    const { pem } = await makeKey();
    const file = join(platform.folder, 'elsewhere.pem');
    writeFileSync(file, pem, { mode: 0o644 });
    const bob = platform.stranger();
    const { code, err } = await bob.run('login', url, '--key', file);
    assert.equal(code, 0);
    assert.equal(err, `Other users of this machine can read your key. To fix this, run: chmod 600 ${file}\n`);
    chmodSync(file, 0o600);
    const whoami = await bob.run('whoami');
    assert.equal(whoami.err, '');
    assert.ok(whoami.out.includes(file));
    assert.ok(!existsSync(join(bob.configFolder, 'identity.pem')));
  });

  test('whoami shows the identity and the platform', async () => {
    const ada = await platform.person();
    const told = await ada.result<{ identity_id: string; url: string; type: string }>('whoami');
    assert.deepEqual([told.identity_id, told.url, told.type], [ada.id, url, 'user']);
  });

  test('a token that is over is renewed without a word, and kept', async () => {
    const ada = await platform.person();
    await rewrite(ada, (signIn) => {
      signIn.token = 'used up';
      signIn.expires_at = '2020-01-01T00:00:00.000Z';
    });
    const { code, err } = await ada.run('whoami');
    assert.deepEqual([code, err], [0, '']);
    const { token, expires_at } = signInsOf(ada).platforms[url]!;
    assert.notEqual(token, 'used up');
    assert.ok(Date.parse(expires_at) > Date.now());
  });

  test('a token that the platform refuses before its time is replaced', async () => {
    const ada = await platform.person();
    await rewrite(ada, (signIn) => {
      signIn.token = 'not a token';
    });
    assert.equal((await ada.run('whoami')).code, 0);
    assert.notEqual(signInsOf(ada).platforms[url]!.token, 'not a token');
  });

  test('many commands that renew the token at once leave a file that can be read', async () => {
    const ada = await platform.person();
    await rewrite(ada, (signIn) => {
      signIn.expires_at = '2020-01-01T00:00:00.000Z';
    });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => ada.run('whoami')));
    assert.deepEqual(
      outcomes.map(({ code, err }) => [code, err]),
      outcomes.map(() => [0, '']),
    );
    assert.equal((await ada.run('whoami')).code, 0);
    assert.deepEqual(readdirSync(ada.configFolder).sort(), ['identity.pem', 'lock', 'sign-ins.json']);
  });

  test('logout ends the token at the platform, keeps the key, and says so', async () => {
    const ada = await platform.person();
    const { token } = signInsOf(ada).platforms[url]!;
    const { code, out } = await ada.run('logout');
    assert.equal(code, 0);
    assert.match(out, /^Signed out of .+; your key stays in .+identity\.pem\.\n$/);
    await assert.rejects(createClient({ baseUrl: url, token }).call(getMe), { code: 'unauthenticated' });
    const { code: after_, err } = await ada.run('whoami');
    assert.deepEqual(
      [after_, err],
      [1, 'You are not signed in to http://localhost:8080; run: ohmstead login http://localhost:8080\n'],
    );
    assert.equal((await ada.result<{ identity_id: string }>('login', url)).identity_id, ada.id);
  });

  test('logout --forget-key asks first, and deletes the key', async () => {
    const ada = await platform.person();
    const asked = await ada.run('logout', '--forget-key');
    assert.equal(asked.code, 2);
    assert.match(
      asked.err,
      /^This deletes the key in .+ There is no terminal to confirm this on; add --yes to go ahead\.\n/,
    );
    assert.ok(existsSync(join(ada.configFolder, 'identity.pem')));
    assert.equal((await ada.run('logout', '--forget-key', '--yes')).code, 0);
    assert.ok(!existsSync(join(ada.configFolder, 'identity.pem')));
  });

  test('logout --forget-key leaves a key of elsewhere alone', async () => {
    const { pem } = await makeKey();
    const file = join(platform.folder, 'mine.pem');
    writeFileSync(file, pem, { mode: 0o600 });
    const bob = platform.stranger();
    await bob.result('login', url, '--key', file);
    const { code, err } = await bob.run('logout', '--forget-key', '--yes');
    assert.deepEqual([code, err], [1, `The key in ${file} was not created by ohmstead login; delete it yourself.\n`]);
    assert.ok(existsSync(file));
  });

  test('logout without a platform forgets the token here, and says until when it is valid', async () => {
    const other = await openPlatform();
    const ada = platform.stranger();
    await ada.result('login', other.url);
    await other.close();
    const { code, err } = await ada.run('logout');
    assert.equal(code, 0);
    assert.match(err, /^Cannot reach .+; the token was deleted here but stays valid until 20/);
    assert.equal((await ada.run('logout')).code, 1);
  });

  test('OHMSTEAD_URL chooses among several platforms', async (t) => {
    const other = await openPlatform();
    t.after(() => other.close());
    const ada = platform.stranger();
    await ada.result('login', url);
    await ada.result('login', other.url);
    assert.equal((await ada.result<{ url: string }>('whoami')).url, other.url);
    const elsewhere = platform.stranger({ OHMSTEAD_CONFIG_DIR: ada.configFolder, OHMSTEAD_URL: `${url}/` });
    assert.equal((await elsewhere.result<{ url: string }>('whoami')).url, url);
    const { out } = await elsewhere.run('login', other.url);
    assert.ok(out.endsWith(`OHMSTEAD_URL is set, so commands still use ${url}/.\n`), out);
  });
});

suite('a sign-in that fails', async () => {
  const platform = await openPlatform();
  const { url } = platform;
  after(() => platform.close());

  test('where nothing answers, it says what to do', async () => {
    const { code, err } = await platform.stranger().run('login', 'http://127.0.0.1:9');
    assert.equal(code, 1);
    assert.equal(
      err,
      'Cannot reach a platform at http://127.0.0.1:9. Start one with: ohmstead up. To use another: ohmstead login <url>\n',
    );
  });

  test('where something else answers, it says what answered', async (t) => {
    const page = createServer((_, answer) => answer.writeHead(404, { 'content-type': 'text/html' }).end('<p>no'));
    t.after(() => page.close());
    const port = await listenOnLoopback(page);
    const { code, err } = await platform.stranger().run('login', `127.0.0.1:${port}`);
    assert.equal(code, 1);
    assert.match(err, /unexpected response: 404 \(text\/html\)/);
  });

  test('at the address of a gateway, it says that this is not a platform', async (t) => {
    const body = JSON.stringify({ error: 'not_found', message: 'POST /auth/challenge does not exist.' });
    const gateway = createServer((_, answer) =>
      answer.writeHead(404, { 'content-type': 'application/json' }).end(body),
    );
    t.after(() => gateway.close());
    const port = await listenOnLoopback(gateway);
    const { code, err } = await platform.stranger().run('login', `127.0.0.1:${port}`);
    assert.equal(code, 1);
    assert.match(err, new RegExp(`^The server at http://127.0.0.1:${port} is not a platform; it may be a gateway\\.`));
  });

  test('with a file that is not a key, it does not ask to change its permissions', async () => {
    const file = join(platform.folder, 'no-key.pem');
    writeFileSync(file, 'root:x:0:0', { mode: 0o644 });
    const { code, err } = await platform.stranger().run('login', url, '--key', file);
    assert.equal(code, 1);
    assert.ok(err.startsWith(`${file}: This is not a private key`), err);
  });

  for (const { given, says } of [
    { given: 'ftp://example.org', says: '"ftp://example.org" is not a valid platform address' },
    { given: 'http://', says: '"http://" is not a valid platform address' },
    { given: 'http://me:secret@example.org', says: 'is not a valid platform address' },
  ]) {
    test(`${given} is refused with a sentence`, async () => {
      const { code, err } = await platform.stranger().run('login', given);
      assert.equal(code, 1);
      assert.ok(err.includes(says), err);
    });
  }

  test('an invalid or missing key file is reported with its path', async () => {
    const file = join(platform.folder, 'note.pem');
    writeFileSync(file, 'milk, eggs', { mode: 0o600 });
    const wrong = await platform.stranger().run('login', url, '--key', file);
    assert.equal(wrong.code, 1);
    assert.ok(wrong.err.startsWith(`${file}: This is not a private key`), wrong.err);
    const missing = await platform.stranger().run('login', url, '--key', '/nowhere/key.pem');
    assert.deepEqual([missing.code, missing.err], [1, 'Key file /nowhere/key.pem not found.\n']);
  });

  test('before the first sign-in every command says to sign in', async () => {
    for (const args of [['org', 'list'], ['site', 'show'], ['gateway', 'list'], ['whoami']]) {
      const { code, out, err } = await platform.stranger().run(...args);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /^You are not signed in to http:\/\/localhost:8080; run: ohmstead login /);
    }
  });

  test('a platform that does not have the key is reported as such', async (t) => {
    const ada = await platform.person();
    const other = await openPlatform();
    t.after(() => other.close());
    const signIns = signInsOf(ada);
    signIns.platforms[other.url] = signIns.platforms[url]!;
    signIns.current = other.url;
    await writeJson(join(ada.configFolder, 'sign-ins.json'), signIns);
    const { code, err } = await ada.run('whoami');
    assert.deepEqual(
      [code, err],
      [1, `Your key is not registered at ${other.url}; run: ohmstead login ${other.url}\n`],
    );
  });

  test('a damaged file of sign-ins is set aside, with a sentence', async () => {
    const ada = await platform.person();
    writeFileSync(join(ada.configFolder, 'sign-ins.json'), '{"sha256": "0", "data": {');
    const { code, err } = await ada.run('whoami');
    assert.equal(code, 1);
    assert.match(
      err,
      /^The file with your sign-ins was damaged and has been moved to .+damaged-.+; run: ohmstead login\n$/,
    );
    assert.equal((await ada.result<{ identity_id: string }>('login', url)).identity_id, ada.id);
  });
});
