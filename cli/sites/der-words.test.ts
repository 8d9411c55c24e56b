import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derTypeIds } from '#contract/der.ts';
import { describeCommand, describeEnergy, describePower } from './der-words.ts';

for (const [type, watts, words] of [
  ['solar', -5000, 'generating 5.00 kW'],
  ['solar', 12, 'not generating 12 W'],
  ['battery', 2000, 'charging 2.00 kW'],
  ['battery', -60, 'discharging 60 W'],
  ['meter', 800, 'importing 800 W'],
  ['meter', -2000, 'exporting 2.00 kW'],
  ['ev_charger_port', 11_000, 'charging 11.00 kW'],
  ['ev_charger_port', -7400, 'discharging 7.40 kW'],
  ['load', 128, 'using 128 W'],
  ['load', -100, 'giving back 100 W'],
  ['battery', 0.4, 'idle 0 W'],
] as const) {
  test(`${watts} W of a ${type} is "${words}"`, () => assert.equal(describePower(type, watts), words));
}

test('powers are described without a sign', () => {
  for (const type of derTypeIds)
    for (const watts of [-3000, -1, 0, 1]) assert.doesNotMatch(describePower(type, watts), /-/);
});

for (const [type, reading, words] of [
  ['battery', { SoC_nom_fract: 0.621, total_charge_Wh: 5 }, '62 % full'],
  ['battery', {}, ''],
  ['meter', { total_import_Wh: 1_234_500, total_export_Wh: 100 }, '1234.5 kWh in, 0.1 kWh out'],
  ['solar', { total_generation_Wh: 0 }, '0.0 kWh generated'],
  ['ev_charger_port', { vehicle_soc_fract: 0.4, session_charge_Wh: 5200 }, 'car 40 % full, 5.2 kWh charged'],
  ['load', { total_import_Wh: 2_658_900 }, '2658.9 kWh used'],
] as const) {
  test(`${JSON.stringify(reading)} of a ${type} is "${words}"`, () =>
    assert.equal(describeEnergy(type, reading), words));
}

test('a command is described by its verb', () => {
  assert.deepEqual(
    [
      describeCommand('battery', 3000),
      describeCommand('battery', -2000),
      describeCommand('battery', 0),
      describeCommand('solar', 0),
      describeCommand('solar', 1000),
    ],
    ['charge 3.00 kW', 'discharge 2.00 kW', 'stay idle', 'curtail to 0 W', 'curtail to 1.00 kW'],
  );
});
