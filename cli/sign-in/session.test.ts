import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { makeKey } from '#contract/client/key.ts';
import { getMe } from '#contract/cloud/identity.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { openShell } from '../testing/in-process.ts';
import { openPlatform, type Person } from '../testing/people.ts';
import { openSession } from './session.ts';
import { readSignIns, updateSignIns } from './sign-ins.ts';

const shellOf = ({ env }: Person) => openShell(env).shell;

suite('a session, while another command', async () => {
  const platform = await openPlatform();
  const { url } = platform;
  after(() => platform.close());

  test('signs out renews its token, and does not sign in again for others', async () => {
    const ada = await platform.person();
    const shell = shellOf(ada);
    const watching = await openSession(shell);
    assert.equal((await ada.run('logout')).code, 0);
    assert.equal((await watching.call(getMe)).identity_id, ada.id);
    assert.deepEqual(await readSignIns(shell), { platforms: {} });
  });

  test('signs in as another leaves them who they are', async () => {
    const ada = await platform.person();
    const shell = shellOf(ada);
    const watching = await openSession(shell);
    assert.equal((await ada.run('logout')).code, 0);
    const file = join(platform.folder, 'other.pem');
    await writeFile(file, (await makeKey()).pem, { mode: 0o600 });
    const other = await ada.result<{ identity_id: string }>('login', url, '--key', file);
    const before = await readSignIns(shell);
    assert.equal((await watching.call(getMe)).identity_id, ada.id);
    assert.equal(before.platforms[url]?.identity_id, other.identity_id);
    assert.deepEqual(await readSignIns(shell), before);
  });

  test('fails at once if the platform asks it to wait for half a minute', async (t) => {
    const ada = await platform.person();
    const busy = createServer((_, answer) => answer.writeHead(503, { 'retry-after': '30' }).end());
    t.after(() => busy.close());
    const other = `http://127.0.0.1:${await listenOnLoopback(busy)}`;
    const { shell } = openShell({ ...ada.env, OHMSTEAD_URL: other });
    await updateSignIns(shell, ({ platforms }) => {
      platforms[other] = platforms[url]!;
    });
    const began = performance.now();
    await assert.rejects(openSession(shell), { status: 503 });
    assert.ok(performance.now() - began < 10_000);
  });
});
