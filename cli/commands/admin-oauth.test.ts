import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';

test('applications are registered, listed without their secret, and removed', async (t) => {
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: join(folder, 'data') };
  const register = ['admin', 'oauth', 'register', 'Grafana', '--redirect'];

  type Client = { client_id: string; client_secret?: string; redirect_uris: string[] };
  const made = await resultOf<Client>([...register, 'https://a.example/cb,http://127.0.0.1/cb'], env);
  assert.match(made.client_secret!, /^[\w-]{43}$/);
  assert.deepEqual(made.redirect_uris, ['https://a.example/cb', 'http://127.0.0.1/cb']);
  const tool = await resultOf<Client>([...register, 'http://127.0.0.1/cb', '--public'], env);
  assert.equal(tool.client_secret, undefined);

  const refused = await runInProcess([...register, 'http://a.example/'], env);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /must be https/);

  const listed = await resultOf<Client[]>(['admin', 'oauth', 'list'], env);
  assert.deepEqual(listed.map(({ client_id }) => client_id).sort(), [made.client_id, tool.client_id].sort());
  assert.ok(!JSON.stringify(listed).includes('secret'));
  await resultOf(['admin', 'oauth', 'remove', made.client_id], env);
  assert.equal((await runInProcess(['admin', 'oauth', 'remove', made.client_id], env)).code, 1);
});
