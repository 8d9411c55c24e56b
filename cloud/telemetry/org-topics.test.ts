import assert from 'node:assert/strict';
import { test } from 'node:test';
import mqtt from 'mqtt';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';

test('a member hears the readings of the organization on the broker, with what they belong to', async () => {
  const cloud = await openCloud();
  try {
    await cloud.start();
    const url = cloud.transport.urls.mqtt!;
    const { owner: ada, org, site, gateway, device } = await cloud.home();
    const { id: device_id, ders } = device;
    const member = await mqtt.connectAsync(url, { clientId: ada.id, username: ada.id, password: ada.token });
    const heard: { topic: string; reading: Record<string, unknown> }[] = [];
    member.on('message', (topic, payload) => heard.push({ topic, reading: JSON.parse(payload.toString()) }));
    await member.subscribeAsync(`orgs/${org}/#`);

    const client = await connectGateway(url, gateway, cloud.clock.now());
    await client.report('INV-1', 'pv', { timestamp: cloud.clock.now(), W: -5 });
    await until(() => heard.length > 0);
    const der_id = ders[0].id;
    assert.deepEqual(heard, [
      {
        topic: `orgs/${org}/sites/${site}/devices/${device_id}/ders/${der_id}/telemetry/json/v1`,
        reading: {
          type: 'pv',
          timestamp: cloud.clock.now(),
          W: -5,
          org_id: org,
          site_id: site,
          device_id,
          der_id,
          der_name: 'pv',
          der_type: 'solar',
        },
      },
    ]);
    await member.endAsync(true);
    await client.endAsync(true);
  } finally {
    await cloud.close();
  }
});
