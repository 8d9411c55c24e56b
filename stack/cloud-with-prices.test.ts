import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { startCloudWithPrices } from './cloud-with-prices.ts';

const envOf = (dataDir: string) => ({ CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir });

suite('the platform with prices', { timeout: 60_000 }, () => {
  test('serves all tariffs on the first request, also to several clients at once', async (t) => {
    const folder = temporaryFolder(t);
    const cloud = await startCloudWithPrices(envOf(folder), { version: '0.0.0' });
    try {
      const api = createClient({ baseUrl: cloud.url });
      const providers = async () => (await api.call(tariffRoutes.providers)).providers.length;
      const [one, other] = await Promise.all([providers(), providers()]);
      assert.ok(one > 40, `${one} providers`);
      assert.equal(other, one);
    } finally {
      await cloud.close();
    }
  });

  test('does not start with an unreadable tariff folder', async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'tariffs');
    await writeFile(file, '');
    const env = { ...envOf(join(folder, 'data')), TARIFF_DIR: file };
    await assert.rejects(startCloudWithPrices(env, { version: '0.0.0' }), {
      name: 'ConfigError',
      message: /^TARIFF_DIR must be a folder that can be read: ENOTDIR/,
    });
  });
});
