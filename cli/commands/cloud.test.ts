import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { runCli, runCloud } from '../testing/child-process.ts';

test('the platform starts, answers and stops on a signal', async (t) => {
  const cloud = await runCloud(t, { DATA_DIR: temporaryFolder(t) });
  assert.equal((await fetch(`${cloud.url}/health`)).status, 200);
  const { code, out, err } = await cloud.stop();
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /shutdown completed/);
});

test('a second platform on the same data folder is refused with a sentence', async (t) => {
  const folder = temporaryFolder(t);
  await runCloud(t, { DATA_DIR: folder });
  const { code, err } = await runCli(['cloud', '--data', folder], { CLOUD_PORT: '0' });
  assert.deepEqual([code, err], [1, `The folder ${folder} is in use by another process.\n`]);
});

test('a configured port that is in use is reported', async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  const port = await listenOnLoopback(taken);
  const { code, err } = await runCli(['cloud'], { CLOUD_PORT: String(port), DATA_DIR: temporaryFolder(t) });
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^Port ${port} on 127.0.0.1 is in use; .*\\n$`));
});
