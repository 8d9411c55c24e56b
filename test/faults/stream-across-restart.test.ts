import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { connectGateway } from '../cloud/gateway-client.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { enrolFleet } from './fleet.ts';
import { startPlatform } from './platform.ts';

test('a viewer that was disconnected by a kill gets every reading, once', async (t) => {
  const folder = temporaryFolder(t);
  const mqttPort = await freePort();
  const env = { DATA_DIR: folder, CLOUD_PORT: String(await freePort()), MQTT_PORT: String(mqttPort) };
  let platform = await startPlatform(env);
  try {
    const fleet = await enrolFleet(platform.url, 1);
    const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
    const headers = { authorization: `Bearer ${fleet.token}` };
    const { site_id } = await createClient({ baseUrl: platform.url, token: fleet.token }).call(getDer, {
      params: { der_id: der },
    });
    const stream = () => `${platform.url}/stream/sites/${site_id}`;
    let W = 0;
    const report = async (count: number): Promise<void> => {
      const client = await connectGateway(`mqtt://127.0.0.1:${mqttPort}`, signer, Date.now());
      for (const last = W + count; W < last; ) await client.report('M1', 'grid', { timestamp: Date.now() + W, W: ++W });
      await client.endAsync();
    };

    await report(1);
    const before = await readEvents(stream(), headers);
    await before.readings(1);
    await report(10);
    const seen = await before.readings(11);
    await platform.kill();
    await before.ended();
    platform = await startPlatform(env);
    await report(20); // nobody watches
    const back = await readEvents(stream(), { ...headers, 'last-event-id': seen.at(-1)!.id! });
    await report(5);
    const missed = await back.readings(25);
    await back.close();
    assert.deepEqual(
      [...seen, ...missed].map(({ data }) => data.W),
      Array.from({ length: 36 }, (_, index) => index + 1),
    );
  } finally {
    await platform.kill();
  }
});
