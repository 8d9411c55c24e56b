import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokerToken } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { readingAt } from './outbox/testing/trial.ts';
import { openTrialUplink } from './testing/trial.ts';

for (const door of ['mqtt', 'websocket'] as const) {
  test(`the platform stores and acknowledges samples by ${door} and sees the gateway connect and disconnect`, async (t) => {
    const cloud = await openCloud({ env: { MQTT_WEBSOCKET_PORT: '0' } });
    await cloud.start();
    const { owner: ada, gateway, device } = await cloud.home();
    const { clock } = cloud;
    const { uplink } = await openTrialUplink(t, {
      serial: gateway.serial,
      clock,
      brokerToken: () => brokerToken(gateway, clock.now()),
    });
    uplink.setBrokers(cloud.transport.urls[door]);
    uplink.start();
    uplink.take('INV-1', 'pv', readingAt(clock.now()));
    uplink.take('INV-1', 'battery', { ...readingAt(clock.now()), type: 'battery', W: 700 });
    uplink.take('not provisioned', 'pv', readingAt(clock.now()));
    await until(() => uplink.isConnected() && uplink.status().waiting === 0);

    const read = async (path: string) => (await cloud.call('GET', path, { as: ada })).body;
    for (const { id, name } of device.ders) {
      assert.equal((await read(`/ders/${id}`)).latest.W, name === 'pv' ? -2500 : 700);
    }
    await until(async () => (await read(`/gateways/${gateway.serial}`)).online === true);
    await uplink.close();
    await until(async () => (await read(`/gateways/${gateway.serial}`)).online === false);
    await cloud.close();
  });
}

test('an unclaimed gateway is refused and retries without logging its token', async (t) => {
  const cloud = await openCloud();
  await cloud.start();
  const { uplink, lines } = await openTrialUplink(t, {
    clock: cloud.clock,
    brokerToken: async () => 'canary-token',
  });
  uplink.setBrokers(cloud.transport.urls.mqtt);
  uplink.start();
  uplink.take('INV-1', 'pv', readingAt(cloud.clock.now()));
  await until(() => lines.some((line) => line.includes('the broker refused the login')));
  assert.equal(uplink.isConnected(), false);
  assert.equal(uplink.status().waiting, 1);
  await uplink.close();
  assert.ok(!lines.join().includes('canary'));
  await cloud.close();
});
