import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { DerTypeId } from '#contract/der.ts';
import { controllablesOf, firstPower, reachOf, withinReach } from './controllable.ts';

const device = (type: DeviceListing['type'], ders: DerTypeId[], state: DeviceListing['state'] = 'active') => ({
  id: type,
  name: type,
  type,
  state,
  hardware_id: type,
  online: true,
  last_seen: null,
  ders: ders.map((der) => ({ id: `${type} ${der}`, name: der, type: der })),
});

test('batteries come first, meters not at all, and nothing of a gateway that went elsewhere', () => {
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

test('a one-way charger is not asked to discharge', () => {
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

test('the slider goes as far as the device tells, and begins at a round power', () => {
  assert.deepEqual(reachOf(11_000), { mostW: 11_000, isKnown: true });
  assert.deepEqual([reachOf(undefined).isKnown, reachOf(0).isKnown], [false, false]);
  assert.deepEqual([firstPower(5000), firstPower(150), firstPower(50)], [1700, 100, 50]);
});

test('what was typed stays, unless the device turns out to do less', () => {
  assert.equal(withinReach('3000', reachOf(undefined)), '3000');
  assert.equal(withinReach('3000', reachOf(10_000)), '3000');
  assert.equal(withinReach('3000', reachOf(2500)), '2500');
  assert.equal(withinReach('8000', reachOf(undefined)), '8000');
  assert.equal(withinReach('', reachOf(2500)), '');
});
