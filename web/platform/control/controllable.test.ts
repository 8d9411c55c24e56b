import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { DerTypeId } from '#contract/der.ts';
import { clampPower, controllablesOf, initialPower, powerRangeOf } from './controllable.ts';

const device = (type: DeviceListing['type'], ders: DerTypeId[], state: DeviceListing['state'] = 'active') => ({
  id: type,
  name: type,
  type,
  state,
  hardware_id: type,
  gateway_serial: 'gw-1',
  online: true,
  last_seen: null,
  ders: ders.map((der) => ({ id: `${type} ${der}`, name: der, type: der })),
});

test('lists batteries first, without meters and orphaned devices', () => {
  const found = controllablesOf([
    device('energy_meter', ['meter']),
    device('inverter', ['solar', 'battery']),
    device('v2x_charger', ['ev_charger_port']),
    device('battery', ['battery'], 'orphaned'),
  ]);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['inverter battery', 'v2x_charger ev_charger_port', 'inverter solar'],
  );
});

test('a one-way charger cannot discharge', () => {
  const [oneWay, twoWay] = (['ev_charger', 'v2x_charger'] as const).map(
    (type) => controllablesOf([device(type, ['ev_charger_port'])])[0]!.ways,
  );
  assert.deepEqual(
    [oneWay, twoWay],
    [
      ['charge', 'idle'],
      ['charge', 'discharge', 'idle'],
    ],
  );
});

test('the slider ends at the maximum and starts at a round value', () => {
  assert.deepEqual(powerRangeOf(11_000), { maxW: 11_000, isKnown: true });
  assert.equal(powerRangeOf(undefined).isKnown, false);
  assert.deepEqual([initialPower(5000), initialPower(150), initialPower(50)], [1700, 100, 50]);
});

test('the typed power is kept unless it exceeds the rated power', () => {
  assert.equal(clampPower('3000', powerRangeOf(undefined)), '3000');
  assert.equal(clampPower('3000', powerRangeOf(10_000)), '3000');
  assert.equal(clampPower('3000', powerRangeOf(2500)), '2500');
  assert.equal(clampPower('8000', powerRangeOf(undefined)), '8000');
  assert.equal(clampPower('', powerRangeOf(2500)), '');
});
