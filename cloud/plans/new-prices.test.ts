import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { createPlanning } from './planning.ts';

onEachEngine('published prices', async (cloud) => {
  const { store, clock } = cloud;
  const ada = await cloud.person();
  const org = await cloud.organization(ada);

  test('plan the sites of their area again, also those that have a position instead of an area', async () => {
    const position = { latitude: 59.3, longitude: 18.1 };
    const sites: Record<string, string> = {};
    for (const [name, settings] of Object.entries({
      area: { price_area: 'SE3' },
      position,
      other: { ...position, price_area: 'SE1' },
      nowhere: {},
    })) {
      const id = await cloud.site(ada, org, { timezone: 'Europe/Stockholm', ...settings });
      sites[id] = name;
      const body = { mode: 'show' };
      assert.equal((await cloud.call('PUT', `/sites/${id}/plan/goals`, { as: ada, body })).status, 200);
    }
    const later = clock.now() + dayMs;
    await store.write(({ db }) => db.updateTable('plan_sites').set({ due_at: later }).execute());
    const spotUntil = { SE1: clock.now() + dayMs, SE3: clock.now() + dayMs };
    let asked = 0;
    const planning = createPlanning({
      store,
      clock,
      log: createLog({ level: 'silent', name: 'test' }),
      gateways: { update: async () => {}, withdraw: async () => {}, withdrawLeft: async () => {}, state: () => {} },
      latest: { get: async () => new Map() },
      telemetry: cloud.telemetry,
      ledger: { readQuarters: () => assert.fail('nothing is planned') },
      calculator: {
        ...knownCalculator({}),
        areaAt: async (lat, lon) => {
          asked++;
          assert.deepEqual([lat, lon], [59.3, 18.1]);
          return 'SE3';
        },
        marginalPrice: async ({ area, from, to }) => {
          const end = new Date(spotUntil[area as 'SE1' | 'SE3']).toISOString();
          const prices = await knownCalculator({ spot: () => 50 }).marginalPrice({ area: 'SE3', from, to });
          return { ...prices, spot: [{ start: prices.spot[0]!.start, end, price: 1 }] };
        },
      },
    });
    const due = async (): Promise<string[]> => {
      const rows = await store.db.selectFrom('plan_sites').select('site_id').where('due_at', '<', later).execute();
      return rows.map(({ site_id }) => sites[site_id]!).sort();
    };
    await planning.checkPrices();
    assert.deepEqual(await due(), []);
    spotUntil.SE3 += dayMs;
    await planning.checkPrices();
    assert.deepEqual([await due(), asked], [['area', 'position'], 1]);
  });
});
