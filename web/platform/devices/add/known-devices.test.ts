import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#contract/cloud/devices.ts';
import { knownDevices } from './known-devices.ts';

const device = (id: string, gateway_serial: string, hardware_id: string, state: Device['state'] = 'active') =>
  ({ id, gateway_serial, hardware_id, state }) as Device;

const ofSite = [
  device('dev-1', 'house', 'p1_meter'),
  device('dev-2', 'barn', 'SG-2'),
  device('dev-3', 'barn', 'gone', 'orphaned'),
];

async function knownOf(serial: string, ...sns: string[]) {
  const asked: string[] = [];
  const known = await knownDevices({ serial, devices: sns.map((sn) => ({ sn })) }, ofSite, async (id) => {
    asked.push(id);
    return ofSite.find((each) => each.id === id)!;
  });
  return { known: [...known.values()].map(({ id }) => id), asked };
}

test('a device of this gateway is known', async () => {
  assert.deepEqual(await knownOf('barn', 'SG-2'), { known: ['dev-2'], asked: ['dev-2'] });
});

test('a device that is called like one of another gateway is new', async () => {
  assert.deepEqual(await knownOf('barn', 'p1_meter'), { known: [], asked: ['dev-1'] });
});

test('a device whose gateway went elsewhere is new, and nothing else is asked about', async () => {
  assert.deepEqual(await knownOf('barn', 'gone', 'SG-9'), { known: [], asked: [] });
});
