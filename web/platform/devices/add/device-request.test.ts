import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceTypeIds } from '#contract/der.ts';
import { defaultKinds, derChoices, devicesOfGateway, entryRequest, manualRequest } from './device-request.ts';

const ofSite = [
  { gateway_serial: 'house', hardware_id: 'p1_meter', state: 'active' },
  { gateway_serial: 'barn', hardware_id: 'SG-2', state: 'active' },
  { gateway_serial: 'barn', hardware_id: 'gone', state: 'orphaned' },
] as const;

test('a device of this gateway is found; one with the same ID at another gateway is new, and so is an orphaned one', () => {
  assert.deepEqual([...devicesOfGateway('barn', ofSite)], [['SG-2', ofSite[1]]]);
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
