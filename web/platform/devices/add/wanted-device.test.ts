import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceTypeIds } from '#contract/der.ts';
import { derChoices, usualKinds, wantedByHand, wantedFromEntry } from './wanted-device.ts';

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

test('a device of a gateway is added with what the gateway sends of it', () => {
  assert.deepEqual(wantedFromEntry(inverter, usualKinds(inverter), { isSubMeter: false }), {
    hardware_id: 'SN-1',
    device_type: 'inverter',
    ders: [
      { name: 'pv', type: 'solar' },
      { name: 'battery', type: 'battery' },
    ],
  });
});

test('of a device that sends nothing yet all is taken', () => assert.deepEqual(usualKinds(meter), ['meter']));

test('the meter of one circuit carries a load, under the name that the gateway sends', () => {
  assert.deepEqual(wantedFromEntry(meter, ['meter'], { isSubMeter: true }), {
    hardware_id: 'M-1',
    device_type: 'meter',
    ders: [{ name: 'meter', type: 'load' }],
  });
});

for (const type of deviceTypeIds) {
  test(`the DERs of a device of type ${type} all have names of their own`, () => {
    const names = wantedByHand('X', type, derChoices(type)).ders.map(({ name }) => name);
    assert.ok(names.length > 0);
    assert.equal(new Set(names).size, names.length);
  });
}

test('by hand only what the type may have is added', () => {
  assert.deepEqual(wantedByHand(' X ', 'ev_charger', ['solar', 'ev_charger_port']), {
    hardware_id: 'X',
    device_type: 'ev_charger',
    ders: [{ name: 'v2x_charger', type: 'ev_charger_port' }],
  });
});
