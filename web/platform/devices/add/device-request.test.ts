import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Device } from '#contract/cloud/devices.ts';
import { deviceTypeIds } from '#contract/der.ts';
import { defaultKinds, derChoices, entryRequest, findAddedDevices, manualRequest } from './device-request.ts';

const device = (id: string, gateway_serial: string, hardware_id: string, state: Device['state'] = 'active') =>
  ({ id, gateway_serial, hardware_id, state }) as Device;

const ofSite = [
  device('dev-1', 'house', 'p1_meter'),
  device('dev-2', 'barn', 'SG-2'),
  device('dev-3', 'barn', 'gone', 'orphaned'),
];

async function knownOf(serial: string, ...sns: string[]) {
  const asked: string[] = [];
  const known = await findAddedDevices({ serial, devices: sns.map((sn) => ({ sn })) }, ofSite, async (id) => {
    asked.push(id);
    return ofSite.find((each) => each.id === id)!;
  });
  return { known: [...known.values()].map(({ id }) => id), asked };
}

test('a device of this gateway is found', async () => {
  assert.deepEqual(await knownOf('barn', 'SG-2'), { known: ['dev-2'], asked: ['dev-2'] });
});

test('a device with the same ID at another gateway is new', async () => {
  assert.deepEqual(await knownOf('barn', 'p1_meter'), { known: [], asked: ['dev-1'] });
});

test('an orphaned device is new, and is not fetched', async () => {
  assert.deepEqual(await knownOf('barn', 'gone', 'SG-9'), { known: [], asked: [] });
});

const inverter = {
  sn: 'SN-1',
  device_type: 'inverter',
  ders: [
    { type: 'pv', enabled: true },
    { type: 'battery', enabled: true },
    { type: 'meter', enabled: false },
  ],
} as const;

const meter = { sn: 'M-1', device_type: 'energy_meter', ders: [{ type: 'meter', enabled: false }] } as const;

test('a device is added with the parts that the gateway sends', () => {
  assert.deepEqual(entryRequest(inverter, defaultKinds(inverter), { isSubMeter: false }), {
    hardware_id: 'SN-1',
    device_type: 'inverter',
    ders: [
      { name: 'pv', type: 'solar' },
      { name: 'battery', type: 'battery' },
    ],
  });
});

test('all parts are selected if the gateway sends none yet', () => assert.deepEqual(defaultKinds(meter), ['meter']));

test('a sub-meter has a load, under the name that the gateway sends', () => {
  assert.deepEqual(entryRequest(meter, ['meter'], { isSubMeter: true }), {
    hardware_id: 'M-1',
    device_type: 'meter',
    ders: [{ name: 'meter', type: 'load' }],
  });
});

for (const type of deviceTypeIds) {
  test(`the DERs of a ${type} have distinct names`, () => {
    const names = manualRequest('X', type, derChoices(type)).ders.map(({ name }) => name);
    assert.ok(names.length > 0);
    assert.equal(new Set(names).size, names.length);
  });
}

test('a manual request has only the DER types that the device type allows', () => {
  assert.deepEqual(manualRequest(' X ', 'ev_charger', ['solar', 'ev_charger_port']), {
    hardware_id: 'X',
    device_type: 'ev_charger',
    ders: [{ name: 'v2x_charger', type: 'ev_charger_port' }],
  });
});
