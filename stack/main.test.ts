import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { startStack } from './main.ts';

test('settings with derived defaults can be set, also by files', async (t) => {
  const folder = temporaryFolder(t);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const env = {
    DATA_DIR: join(folder, 'data'),
    CLOUD_PORT: '0',
    MQTT_PORT: '0',
    GATEWAY_PORT: '0',
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_DATA_DIR_FILE: await file('gateway-data', join(folder, 'elsewhere')),
    PRICE_DATA_DIR_FILE: await file('price-data', join(folder, 'prices')),
    UPLINK_URL_FILE: await file('uplink', 'mqtt://127.0.0.1:1'),
    MDNS: 'false',
    LOG_LEVEL: 'silent',
  };
  const stack = await startStack(env, { version: '0.0.0', isSimulated: false, houses: 0, hasHistory: false });
  try {
    const { uplink } = await createClient({ baseUrl: stack.state.gateway_url }).call(getStatus);
    assert.equal(uplink.broker, 'mqtt://127.0.0.1:1');
  } finally {
    await stack.close();
  }
});
