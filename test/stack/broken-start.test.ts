import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listGateways } from '#contract/cloud/gateways.ts';
import { listOrganizations } from '#contract/cloud/organizations.ts';
import { getSite, listSites } from '#contract/cloud/sites.ts';
import { heardSince, signInWith } from './owner.ts';
import { breakOff, dataFolder, processesOn, startUp } from './up-process.ts';

const houses = ['--houses', '6'];

suite('a first start that is killed', { timeout: 180_000 }, () => {
  test('again and again, at any moment, is brought to its end by the next', async (t) => {
    const data = dataFolder(t);
    for (let afterMs = 400; afterMs <= 2800; afterMs += 300) await breakOff(data, afterMs, houses);
    assert.deepEqual(processesOn(data), []);

    const { state, stop } = await startUp(t, data, houses);
    const { api, token } = await signInWith(state);
    const query = { org_id: state.org_id };
    const { devices } = await api.call(getSite, { params: { site_id: state.site_id } });
    assert.deepEqual(
      {
        organizations: (await api.call(listOrganizations)).length,
        sites: (await api.call(listSites, { query })).map(({ name }) => name.replace(/,.*/, '')).sort(),
        gateways: (await api.call(listGateways, { query })).map(({ device_count }) => device_count).sort(),
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
