import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { runCloud } from '../../../cli/testing/child-process.ts';
import { startGatewayProcess } from '../../gateway/gateway-process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Returns the permissions of others on each file and folder that grants any. */
function openToOthers(folder: string): string[] {
  const paths = ['', ...(readdirSync(folder, { recursive: true }) as string[])];
  return paths
    .map((path) => ({ path, mode: statSync(join(folder, path)).mode & 0o777 }))
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ path, mode }) => `${path || 'the folder'} ${mode.toString(8)}`);
}

const isPrivate = (folder: string): boolean => (statSync(folder).mode & 0o077) === 0;

suite('with a umask that lets everybody read new files', () => {
  test('a gateway keeps its key, token and passwords readable for its owner only', async (t) => {
    const folder = join(temporaryFolder(t), 'data');
    const before = process.umask(0);
    const gateway = await startGatewayProcess(folder).finally(() => process.umask(before));
    try {
      const body = { mqtt_connection_str: 'mqtt://user:secret@127.0.0.1:1' };
      assert.equal((await gateway.call('POST', '/api/system/mqtt', body)).status, 200);
      assert.equal((await gateway.call('POST', '/api/crypto/sign', {})).status, 200);
    } finally {
      await gateway.kill();
    }
    assert.ok(isPrivate(folder));
    const secrets = /^(identity|local-token|mqtt|signatures|devices|control)/;
    assert.deepEqual(
      openToOthers(folder).filter((line) => secrets.test(line)),
      [],
    );
    assert.ok(['identity', 'local-token', 'mqtt.json'].every((name) => readdirSync(folder).includes(name)));
  });

  test('a platform keeps its folder readable for its owner only', async (t) => {
    const folder = join(temporaryFolder(t), 'data');
    const before = process.umask(0);
    const cloud = await runCloud(t, { DATA_DIR: folder, MQTT_PORT: '0' }).finally(() => process.umask(before));
    await cloud.stop();
    assert.ok(isPrivate(folder));
    assert.deepEqual(
      openToOthers(folder).filter((line) => /token|secret|key/.test(line)),
      [],
    );
  });
});
