import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latLngToCell } from 'h3-js';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';

const place = { latitude: 59.33, longitude: 18.07 };
const meter = (hardware_id: string, device_type: string, ...types: string[]) => ({
  hardware_id,
  device_type,
  ders: types.map((type) => ({ name: type, type })),
});

onEachEngine('a sub-meter', (cloud) => {
  test('is in no total, neither of its site nor of its cell', async () => {
    await cloud.start();
    const home = await cloud.home({ place, device: meter('GRID', 'energy_meter', 'meter') });
    await cloud.provision(home.owner, home.site, home.gateway.serial, meter('SUB', 'meter', 'meter', 'load'));
    const client = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
    const timestamp = cloud.clock.now();
    await client.report('GRID', 'meter', { timestamp, W: 3000 });
    await client.report('SUB', 'meter', { timestamp, W: 1000 });
    await client.report('SUB', 'load', { timestamp, W: 800 });
    await client.endAsync(true);

    const path = `/sites/${home.site}/telemetry?resolution=1m&fields=W&from=${timestamp - 60_000}&to=${timestamp + 60_000}`;
    const { body } = await cloud.call('GET', path, { as: home.owner });
    const powers = body.series.map(({ kind, points }: { kind: string; points: { W: number }[] }) => [
      kind,
      points[0]!.W,
    ]);
    assert.deepEqual(powers, [
      ['meter', 3000],
      ['load', 3000],
    ]);
    const cell = latLngToCell(place.latitude, place.longitude, 6);
    const { der_summary, total_power_w } = (await cloud.call('GET', `/public/cells/${cell}/stats`)).body;
    assert.deepEqual([der_summary.meter.count, der_summary.meter.total_import_w], [2, 3000]);
    assert.deepEqual([der_summary.load.total_import_w, total_power_w], [800, 3800]);
  });
});
