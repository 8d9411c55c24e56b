import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { createRouting } from './routing.ts';

test('what is looked up while the registry changes is not remembered', async () => {
  const cloud = await openCloud();
  try {
    const { owner: ada, gateway } = await cloud.home();
    const { serial } = gateway;
    const routing = createRouting(cloud.store, cloud.clock);
    const asked = routing.find(serial, 'INV-1', 'pv');
    routing.forget(serial); // what was asked of the registry is not answered yet
    assert.ok(await asked);
    await cloud.call('DELETE', `/gateways/${serial}`, { as: ada });
    assert.equal(await routing.find(serial, 'INV-1', 'pv'), undefined);
  } finally {
    await cloud.close();
  }
});

test('many who ask at once are answered in the order they came', async () => {
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

test('of two DERs of a type the older one is meant, whatever they are called', async () => {
  const cloud = await openCloud();
  try {
    const ders = [{ name: 'west', type: 'battery' }];
    const { owner: ada, gateway, device } = await cloud.home({ device: { ders } });
    const { serial } = gateway;
    await cloud.call('POST', `/devices/${device.id}/ders`, { as: ada, body: { name: 'east', type: 'battery' } });
    const routing = createRouting(cloud.store, cloud.clock);
    assert.equal((await routing.find(serial, 'INV-1', 'battery'))?.der_name, 'west');
    assert.equal((await routing.find(serial, 'INV-1', 'east'))?.der_name, 'east');
  } finally {
    await cloud.close();
  }
});
