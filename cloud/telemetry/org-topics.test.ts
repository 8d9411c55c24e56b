import assert from 'node:assert/strict';
import { test } from 'node:test';
import mqtt from 'mqtt';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';

test('a member receives the readings of the organization on the broker, with the ids of their objects', async () => {
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
    const own = { type: 'inverter', timestamp: cloud.clock.now(), W: -5, seq: 17 };
    await client.report('INV-1', 'pv', own);
    await until(() => heard.length > 0);
    const der_id = ders[0].id;
    assert.deepEqual(heard, [
      {
        topic: `orgs/${org}/sites/${site}/devices/${device_id}/ders/${der_id}/telemetry/json/v1`,
        reading: { ...own, org_id: org, site_id: site, device_id, der_id, der_type: 'solar' },
      },
    ]);

    const late = { timestamp: own.timestamp - 60_000, W: -4, seq: 3 };
    await client.report('INV-1', 'pv', late); // from what it had kept
    await client.report('INV-1', 'pv', late); // and once more, as its acknowledgement was lost
    await client.report('INV-1', 'pv', own);
    await client.report('INV-1', 'pv', { timestamp: own.timestamp + 1000, W: -6, seq: 18 });
    await until(() => heard.some(({ reading }) => reading.seq === 18));
    assert.deepEqual(
      heard.map(({ reading }) => reading.seq),
      [17, 3, 18],
    );
    await member.endAsync(true);
    await client.endAsync(true);
  } finally {
    await cloud.close();
  }
});
