import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { startCloudWithPrices } from './cloud-with-prices.ts';

const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'ohmstead-prices-'));

const envOf = (dataDir: string) => ({ CLOUD_PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir });

suite('the platform with prices', { timeout: 60_000 }, () => {
  test('knows all tariffs when it is first asked, also by several at once', async () => {
    await using folder = await temporaryFolder();
    const cloud = await startCloudWithPrices(envOf(folder.path), { version: '0.0.0' });
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

  test('does not start with a folder of own tariffs that cannot be read', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'tariffs');
    await writeFile(file, '');
    const env = { ...envOf(join(folder.path, 'data')), TARIFF_DIR: file };
    await assert.rejects(startCloudWithPrices(env, { version: '0.0.0' }), { code: 'ENOTDIR' });
  });
});
