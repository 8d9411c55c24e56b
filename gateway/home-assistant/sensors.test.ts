import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { telemetryFields } from '#contract/telemetry.ts';
import { sensorsOf } from './sensors.ts';

const fields = telemetryFields.map(({ name }) => name as Parameters<typeof sensorsOf>[1][number]);

const power = 'power measurement W';
const energy = 'energy total_increasing kWh';
const stored = 'energy_storage measurement kWh';
const charge = 'battery measurement %';
const voltage = 'voltage measurement V diagnostic';
const current = 'current measurement A diagnostic';
const frequency = 'frequency measurement Hz diagnostic';
const temperature = 'temperature measurement °C diagnostic';

/** The unique ids end in these and must never change: automations and years of statistics depend on them. */
const expected: Record<string, [name: string, shown: string]> = {
  W: ['active power', power],
  V: ['voltage', voltage],
  A: ['current', current],
  Hz: ['grid frequency', frequency],
  L1_W: ['active power of phase 1', power],
  L2_W: ['active power of phase 2', power],
  L3_W: ['active power of phase 3', power],
  L1_V: ['voltage of phase 1', voltage],
  L2_V: ['voltage of phase 2', voltage],
  L3_V: ['voltage of phase 3', voltage],
  L1_A: ['current of phase 1', current],
  L2_A: ['current of phase 2', current],
  L3_A: ['current of phase 3', current],
  total_import_Wh: ['energy imported', energy],
  total_export_Wh: ['energy exported', energy],
  total_generation_Wh: ['energy generated', energy],
  total_charge_Wh: ['energy charged', energy],
  total_discharge_Wh: ['energy discharged', energy],
  SoC_nom_fract: ['state of charge', charge],
  temperature_C: ['temperature of the battery', temperature],
  heatsink_C: ['temperature of the heat sink', temperature],
  mppt1_V: ['voltage of the first tracker', voltage],
  mppt1_A: ['current of the first tracker', current],
  mppt2_V: ['voltage of the second tracker', voltage],
  mppt2_A: ['current of the second tracker', current],
  dc_W: ['power on the direct-current side', power],
  dc_V: ['voltage on the direct-current side', voltage],
  dc_A: ['current on the direct-current side', current],
  vehicle_soc_fract: ['state of charge of the car', charge],
  ev_min_energy_req_Wh: ['minimum energy that the car requests', stored],
  ev_max_energy_req_Wh: ['maximum energy that the car can take', stored],
  session_charge_Wh: ['energy charged in this session', energy],
  session_discharge_Wh: ['energy discharged in this session', energy],
  capacity_Wh: ['capacity of the battery', `${stored} diagnostic`],
  rated_power_W: ['rated power of the device', `${power} diagnostic`],
  ac_W: ['power on the alternating-current side', power],
  unit1_W: ['power of the first of several battery units', power],
  unit1_SoC_fract: ['state of charge of the first of several battery units', charge],
  unit1_total_charge_Wh: ['energy charged into the first of several battery units', energy],
  unit1_total_discharge_Wh: ['energy discharged from the first of several battery units', energy],
};

suite('a field in Home Assistant', () => {
  const sensors = sensorsOf('meter', fields);

  test('exists for every field that a gateway can report', () => {
    assert.deepEqual(
      sensors.map(({ id }) => id),
      Object.keys(expected),
    );
  });

  for (const { id, name, dev_cla, stat_cla, unit_of_meas, ent_cat } of sensors) {
    test(`${id} has its name, its classes and its unit`, () => {
      const shown = [dev_cla, stat_cla, unit_of_meas, ent_cat].filter(Boolean).join(' ');
      assert.deepEqual([name, shown], [`Meter ${expected[id]![0]}`, expected[id]![1]]);
    });
  }
});

suite('the template of a value', () => {
  const templates = Object.fromEntries(
    sensorsOf('battery', ['W', 'SoC_nom_fract', 'total_charge_Wh']).map(({ id, val_tpl }) => [id, val_tpl]),
  );

  // Each was rendered by Jinja; an absent value gives None, which Home Assistant shows as unknown.
  for (const [id, expression, field] of [
    ['W', 'value_json.W', 'W'],
    ['total_charge_Wh', 'value_json.total_charge_Wh / 1000', 'total_charge_Wh'],
    ['SoC_nom_fract', '(value_json.SoC_nom_fract * 100) | round(1)', 'SoC_nom_fract'],
    ['charging_W', '[0, value_json.W] | max', 'W'],
    ['discharging_W', '[0, -value_json.W] | max', 'W'],
  ] as const) {
    test(`of ${id} converts it for Home Assistant, and is unknown when it is absent`, () => {
      assert.equal(templates[id], `{{ ${expression} if value_json.${field} is defined else none }}`);
    });
  }
});

suite('a power that is never negative', () => {
  const derived = (kind: Parameters<typeof sensorsOf>[0]): string[] =>
    sensorsOf(kind, ['W'])
      .slice(1)
      .map(({ id, name }) => `${id}: ${name}`);

  for (const [kind, ids] of [
    ['pv', ['generation_W: Solar generation']],
    ['battery', ['charging_W: Battery charging power', 'discharging_W: Battery discharging power']],
    [
      'v2x_charger',
      ['charging_W: Car charger port charging power', 'discharging_W: Car charger port discharging power'],
    ],
    ['meter', []],
  ] as const) {
    test(`exists besides that of a ${kind}: ${ids.length === 0 ? 'none' : ids.join(', ')}`, () => {
      assert.deepEqual(derived(kind), ids);
    });
  }

  test('does not exist before the power does', () =>
    assert.deepEqual(sensorsOf('pv', ['total_generation_Wh']).length, 1));
});
