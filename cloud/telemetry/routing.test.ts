import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { createRouting, type FoundRoute } from './routing.ts';

test('a lookup during a change of the registry is not cached', async () => {
  const cloud = await openCloud();
  try {
    const { owner: ada, gateway } = await cloud.home();
    const { serial } = gateway;
    const routing = createRouting(cloud.store, cloud.clock);
    const asked = routing.find(serial, 'INV-1', 'pv');
    routing.forget(serial); // the registry has not answered yet
    assert.ok(await asked);
    await cloud.call('DELETE', `/gateways/${serial}`, { as: ada });
    assert.equal(await routing.find(serial, 'INV-1', 'pv'), 'not_provisioned');
  } finally {
    await cloud.close();
  }
});

test('simultaneous lookups are answered in their order', async () => {
  const cloud = await openCloud();
  try {
    const routing = createRouting(cloud.store, cloud.clock);
    const answered: number[] = [];
    const ask = async (index: number): Promise<void> => {
      await routing.find('ohm-x', 'INV-1', 'pv');
      answered.push(index);
    };
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    assert.deepEqual(
      answered,
      Array.from({ length: 50 }, (_, index) => index),
    );
  } finally {
    await cloud.close();
  }
});

const nameIn = (found: FoundRoute): string => (typeof found === 'string' ? found : found.der_name);

test('a DER is found by its name as topics spell it, and by its type when it is the only one', async () => {
  const cloud = await openCloud();
  try {
    const ders = [
      { name: 'Västra taket', type: 'solar' },
      { name: 'west', type: 'battery' },
    ];
    const { owner: ada, gateway, device } = await cloud.home({ device: { ders } });
    const { serial } = gateway;
    await cloud.call('POST', `/devices/${device.id}/ders`, { as: ada, body: { name: 'east', type: 'battery' } });
    const routing = createRouting(cloud.store, cloud.clock);
    for (const [der, found] of [
      ['V_stra_taket', 'Västra taket'],
      ['Västra taket', 'Västra taket'],
      ['pv', 'Västra taket'],
      ['east', 'east'],
      ['battery', 'ambiguous_der'],
      ['meter', 'not_provisioned'],
    ] as const) {
      assert.equal(nameIn(await routing.find(serial, 'INV-1', der)), found, der);
    }
  } finally {
    await cloud.close();
  }
});

test('device ids that a gateway invents evict no route of another gateway', async () => {
  const cloud = await openCloud();
  try {
    const [{ gateway: victim }, { gateway: liar }] = [await cloud.home(), await cloud.home()];
    let asked = 0;
    const store = {
      ...cloud.store,
      get db() {
        asked++;
        return cloud.store.db;
      },
    };
    const routing = createRouting(store, cloud.clock, 2000);
    await routing.find(victim.serial, 'INV-1', 'pv');
    await routing.find(liar.serial, 'INV-1', 'pv');
    const ids = Array.from({ length: 2100 }, (_, index) => `invented-${index}`);
    await Promise.all(ids.map(async (id) => routing.find(liar.serial, id, 'pv')));
    asked = 0;
    for (const { serial } of [victim, liar]) assert.equal(nameIn(await routing.find(serial, 'INV-1', 'pv')), 'pv');
    assert.equal(asked, 0);
  } finally {
    await cloud.close();
  }
});
