import assert from 'node:assert/strict';
import { test } from 'node:test';
import { telemetryFields } from '#contract/telemetry.ts';
import { fieldsIn, groups, signOf, unitOf } from './der-fields.ts';

const all = new Set(telemetryFields.map(({ name }) => name));

test('power and state of charge share a chart, phases have their own', () => {
  assert.deepEqual(fieldsIn('power', new Set(['SoC_nom_fract', 'W', 'L1_W', 'W_min', 'V'])), ['W', 'SoC_nom_fract']);
  assert.deepEqual(fieldsIn('phases', all), ['L1_W', 'L2_W', 'L3_W']);
});

test('a field is in at most one group, and only constant fields are in none', () => {
  const grouped = groups.flatMap((group) => fieldsIn(group, all));
  assert.equal(new Set(grouped).size, grouped.length);
  assert.deepEqual(
    [...all].filter((name) => !grouped.includes(name)),
    [
      'ev_min_energy_req_Wh',
      'ev_max_energy_req_Wh',
      'capacity_Wh',
      'rated_power_W',
      'unit1_total_charge_Wh',
      'unit1_total_discharge_Wh',
    ],
  );
});

test('a group has at most two units, one per axis', () => {
  for (const group of groups) assert.ok(new Set(fieldsIn(group, all).map(unitOf)).size <= 2, group);
});

test('only generation is inverted', () => {
  assert.equal(signOf('solar', 'W'), -1);
  assert.equal(signOf('solar', 'L2_W'), -1);
  assert.equal(signOf('solar', 'L3_A'), 1);
  assert.equal(signOf('solar', 'V'), 1);
  assert.equal(signOf('solar', 'mppt1_A'), 1);
  assert.equal(signOf('battery', 'W'), 1);
});
