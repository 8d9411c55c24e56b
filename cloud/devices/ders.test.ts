import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';

onEachEngine('a DER', (cloud) => {
  test('is renamed, and its telemetry is found under the new name only', async () => {
    await cloud.start();
    const { owner, org, device, gateway } = await cloud.home({
      device: {
        device_type: 'battery',
        ders: [
          { name: 'old', type: 'battery' },
          { name: 'grid', type: 'meter' },
        ],
      },
    });
    const { id } = device.ders[0];
    const rename = (name: unknown) => cloud.call('PUT', `/ders/${id}`, { as: owner, body: { name } });
    assert.equal((await rename('grid')).status, 409);
    assert.equal((await rename('')).status, 400);
    const { status, body } = await rename('new');
    assert.deepEqual([status, body.id, body.name], [200, id, 'new']);
    assert.deepEqual((await cloud.call('GET', `/ders/${id}`, { as: owner })).body, body);
    assert.equal((await cloud.call('GET', `/devices/${device.id}`, { as: owner })).body.ders[0].name, 'new');

    const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
    await client.report('INV-1', 'old', { timestamp: cloud.clock.now(), W: 1 });
    await client.report('INV-1', 'new', { timestamp: cloud.clock.now() + 1, W: 2 });
    await client.endAsync(true);
    const { latest } = (await cloud.call('GET', `/ders/${id}`, { as: owner })).body;
    assert.equal(latest.W, 2);
    const { dropped } = (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: owner })).body;
    assert.equal(dropped.not_provisioned, 1);
    const audit = (await cloud.call('GET', `/organizations/${org}/audit`, { as: owner })).body;
    const renamed = audit.find(({ action }: { action: string }) => action === 'der.renamed');
    assert.deepEqual([renamed.object, renamed.details], [id, { from: 'old', to: 'new' }]);
  });

  test('is deleted with its commands, and its name is free again', async () => {
    const { owner, device } = await cloud.home();
    const [{ id, name, type }] = device.ders;
    assert.equal((await cloud.call('DELETE', `/ders/${id}`, { as: owner })).status, 204);
    for (const path of [`/ders/${id}`, `/ders/${id}/commands`, `/ders/${id}/telemetry`]) {
      assert.equal((await cloud.call('GET', path, { as: owner })).status, 404, path);
    }
    assert.equal((await cloud.call('DELETE', `/ders/${id}`, { as: owner })).status, 404);
    const again = await cloud.call('POST', `/devices/${device.id}/ders`, { as: owner, body: { name, type } });
    assert.deepEqual([again.status, again.body.latest], [201, null]);
  });
});
