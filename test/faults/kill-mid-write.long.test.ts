import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { listOrganizations } from '#contract/cloud/organizations.ts';
import { createSite, getSite, listSites } from '#contract/cloud/sites.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { enrolFleet } from './fleet.ts';
import { startPlatform } from './platform.ts';

const kills = 5;
const lanes = 4;

test('a request that is repeated after a kill takes effect once, with the same answer for every caller', async (t) => {
  const folder = temporaryFolder(t);
  const env = { DATA_DIR: folder, CLOUD_PORT: String(await freePort()), MQTT_PORT: String(await freePort()) };
  let platform = await startPlatform(env);
  try {
    const { token, gateways } = await enrolFleet(platform.url, 1);
    const api = createClient({ baseUrl: platform.url, token, retries: 8 });
    const { id: org_id } = (await api.call(listOrganizations))[0]!;
    const state = { isOver: false };
    const made: { name: string; site_id: string; device_id: string }[] = [];

    async function lane(number: number): Promise<void> {
      for (let count = 0; !state.isOver; count++) {
        const name = `${number}-${count}`;
        const { id: site_id } = await api.call(createSite, { body: { org_id, name } });
        const { id: device_id } = await api.call(provisionDevice, {
          body: {
            gateway_serial: gateways[0]!.signer.serial,
            site_id,
            hardware_id: name,
            device_type: 'energy_meter',
            ders: [{ name: 'grid', type: 'meter' }],
          },
        });
        made.push({ name, site_id, device_id });
      }
    }
    const working = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
    for (let kill = 0; kill < kills; kill++) {
      const before = made.length;
      while (made.length === before) await sleep(5);
      await sleep(Math.random() * 100);
      await platform.kill();
      platform = await startPlatform(env);
    }
    state.isOver = true;
    await working;

    const sites = new Map<string, string[]>();
    for await (const { id, name } of api.pages(listSites)) sites.set(name, [...(sites.get(name) ?? []), id]);
    console.log(`${kills} kills, ${made.length} sites and devices made`);
    assert.ok(made.length > kills, 'enough was tried');
    for (const { name, site_id, device_id } of made) {
      const { devices } = await api.call(getSite, { params: { site_id } });
      assert.deepEqual([sites.get(name), devices.map(({ id }) => id)], [[site_id], [device_id]], name);
    }
    assert.equal(sites.size, made.length + 1); // and the one of the fleet
  } finally {
    await platform.kill();
  }
});
