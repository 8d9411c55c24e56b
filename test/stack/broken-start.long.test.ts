import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { listGateways } from '#contract/cloud/gateways.ts';
import { listOrganizations } from '#contract/cloud/organizations.ts';
import { getSite, listSites } from '#contract/cloud/sites.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { heardSince, signInWith } from './owner.ts';
import { breakOff, processesOn, startUp } from './up-process.ts';

const houses = ['--houses', '6'];

/** Moments of a first start in order, by what is on disk. */
const moments: readonly ((data: string) => boolean)[] = [
  (data) => existsSync(join(data, 'cloud.db')),
  (data) => existsSync(join(data, 'internal-token')),
  (data) => existsSync(join(data, 'demo', 'identity.pem')),
  (data) => existsSync(join(data, 'gateway', 'identity', 'key.pem')), // a site exists, and nothing is claimed
  (data) => existsSync(join(data, 'gateway', 'local-token')), // claimed
  (data) => devicesOf(data) > 0,
  (data) => devicesOf(data) === 5,
  (data) => existsSync(join(data, 'street', 'keys.json')),
  (data) => existsSync(join(data, 'demo', 'home.json')),
];

function devicesOf(data: string): number {
  const folder = join(data, 'gateway', 'devices');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')).length : 0;
}

suite('a first start that is killed', { timeout: 180_000 }, () => {
  test('at one moment after another is completed by the next', async (t) => {
    const data = temporaryFolder(t);
    for (const isReached of moments) await breakOff(data, houses, () => isReached(data));
    assert.deepEqual(processesOn(data), []);

    const { state, stop } = await startUp(t, data, houses);
    const { api, token } = await signInWith(state);
    const query = { org_id: state.org_id };
    const { devices } = await api.call(getSite, { params: { site_id: state.site_id } });
    assert.deepEqual(
      {
        organizations: (await api.call(listOrganizations)).length,
        sites: (await api.call(listSites, { query })).map(({ name }) => name.replace(/,.*/, '')).sort(),
        gateways: (await api.call(listGateways, { query }))
          .map(({ device_count }) => device_count)
          .sort((a, b) => a - b),
        devices: devices.map(({ id }) => id).sort(),
      },
      {
        organizations: 1,
        sites: ['Simulated home', ...[1, 2, 3, 4, 5, 6].map((number) => `Simulated house 0${number}`)],
        gateways: [1, 2, 2, 2, 2, 2, 5],
        devices: state.devices.map(({ device_id }) => device_id).sort(),
      },
    );
    await heardSince(state, token, { since: 0, count: 6, withinMs: 10_000 });
    assert.equal((await stop()).code, 0);
  });
});
