import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEnergy, EnergyTotal, SiteEnergy } from '#contract/cloud/energy.ts';
import { rowsOf } from './device-rows.ts';
import { energyBars, isMeasured } from './site-series.ts';

const none: EnergyTotal = {
  import_wh: 0,
  export_wh: 0,
  solar_wh: 0,
  battery_charge_wh: 0,
  battery_discharge_wh: 0,
  car_charge_wh: 0,
  car_discharge_wh: 0,
  load_wh: 0,
  self_consumption_pct: null,
  self_sufficiency_pct: null,
  coverage_pct: 0,
  estimated_wh: 0,
  balance_error_wh: 0,
};

test('the bars of a range add up to its total, which the legend shows', () => {
  const some = { ...none, import_wh: 1000, solar_wh: 500, export_wh: 200, load_wh: 1300, coverage_pct: 100 };
  const day = { start: '2026-03-29T00:00:00Z', end: '2026-03-30T00:00:00Z' };
  const total = { ...some, import_wh: 2000, solar_wh: 1000, export_wh: 400, load_wh: 2600, coverage_pct: 66 };
  const head = { site_id: 's', timezone: 'UTC', resolution: '1d', from: '', to: '' } as const;
  const intervals: SiteEnergy['intervals'] = [
    { ...day, ...some },
    { ...day, ...none },
    { ...day, ...some },
  ];
  assert.deepEqual(
    energyBars({ ...head, intervals, total }).map(({ name, values, summary }) => ({ name, values, summary })),
    [
      { name: 'Solar', values: [500, undefined, 500], summary: '1.00 kWh' },
      { name: 'From grid', values: [1000, undefined, 1000], summary: '2.00 kWh' },
      { name: 'House', values: [-1300, undefined, -1300], summary: '2.60 kWh' },
      { name: 'To grid', values: [-200, undefined, -200], summary: '400 Wh' },
    ],
  );
});

test('a range was measured if it has energy, or if all devices measured none', () => {
  assert.ok(!isMeasured(none));
  assert.ok(isMeasured({ ...none, coverage_pct: 1 }));
  assert.ok(isMeasured({ ...none, solar_wh: 1 }));
});

const device = (kind: DeviceEnergy['kind'], in_wh: number, out_wh: number): DeviceEnergy => ({
  device_id: kind,
  der_id: kind,
  name: kind,
  kind,
  in_wh,
  out_wh,
  estimated_wh: 0,
  coverage_pct: 100,
});

test('devices are ranked by what they used and by what they supplied, with the rest of the house', () => {
  const devices = [
    device('meter', 900, 300),
    device('solar', 0, 1000),
    device('battery', 200, 150),
    device('sub_meter', 400, 0),
    device('load', 50, 0),
    { ...device('ev_charger_port', 500, 0), device_id: null, der_id: null, name: null },
  ];
  const total = { ...none, load_wh: 1050 };
  const ranked = (side: 'used' | 'supplied') =>
    rowsOf(devices, side, total).map(({ device, wh }) => [device?.kind ?? 'rest', wh]);
  assert.deepEqual(ranked('used'), [
    ['rest', 600],
    ['ev_charger_port', 500],
    ['sub_meter', 400],
    ['meter', 300],
    ['battery', 200],
    ['load', 50],
  ]);
  assert.deepEqual(ranked('supplied'), [
    ['solar', 1000],
    ['meter', 900],
    ['battery', 150],
  ]);
});

test('meters in the house that measured more than its load leave no rest', () => {
  const rows = rowsOf([device('load', 700, 0), device('sub_meter', 500, 0)], 'used', { ...none, load_wh: 1000 });
  assert.deepEqual(
    rows.map(({ wh }) => wh),
    [700, 500],
  );
});
