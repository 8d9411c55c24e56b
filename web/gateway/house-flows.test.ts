import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { flowsFrom, sharesOf, unknownIn } from '../flow/flows.ts';
import { measuredParts } from './house-flows.ts';

type Device = Parameters<typeof measuredParts>[0][number];

const at = 1_800_000_000_000;

const read = (type: 'pv' | 'battery' | 'meter' | 'v2x_charger', values: Record<string, number>) => ({
  [type]: { type, timestamp: at, read_time_ms: 3, make: 'Test', ...values },
});

const inverter: Device = {
  type: 'modbus_tcp',
  device_type: 'inverter',
  ders: [
    { type: 'pv', enabled: true },
    { type: 'battery', enabled: false },
    { type: 'meter', enabled: false },
  ],
  readings: {
    ...read('pv', { W: -5000 }),
    ...read('battery', { W: 2000, SoC_nom_fract: 0.5 }),
    ...read('meter', { W: 77 }),
  },
};

const subMeter: Device = {
  type: 'modbus_tcp',
  device_type: 'energy_meter',
  ders: [{ type: 'meter', enabled: true }],
  readings: read('meter', { W: 900 }),
};

const p1: Device = { ...subMeter, type: 'p1_uart', readings: read('meter', { W: -2000 }) };

suite('power flow from the devices of a gateway', () => {
  test('the house uses the sum of the others', () => {
    const { parts, house, atMs } = flowsFrom(measuredParts([inverter, p1]), at);
    assert.deepEqual(
      parts.map(({ kind, watts }) => [kind, watts]),
      [
        ['pv', -5000],
        ['meter', -2000],
        ['battery', 2000],
      ],
    );
    assert.equal(house, 1000);
    assert.equal(atMs, at);
    assert.equal(parts[2]!.fraction, 0.5);
  });

  test('both sides of the bar have the same sum', () => {
    const shares = sharesOf(flowsFrom(measuredParts([inverter, p1]), at));
    const sum = (side: string): number => shares.reduce((all, { to, watts }) => all + (to === side ? watts : 0), 0);
    assert.equal(sum('in'), 5000);
    assert.equal(sum('out'), 5000);
  });

  test('a share has the age of its oldest reading', () => {
    const older = { ...p1, readings: { meter: { ...p1.readings.meter!, timestamp: at - 2000 } } };
    const shares = sharesOf(flowsFrom(measuredParts([inverter, older]), at));
    assert.deepEqual(
      shares.map(({ source, atMs }) => [source, atMs]),
      [
        ['sun', at],
        ['grid', at - 2000],
        ['battery', at],
        ['house', at - 2000],
      ],
    );
  });

  for (const { says, devices, watts } of [
    { says: 'of the P1 port before another meter', devices: [inverter, subMeter, p1], watts: -2000 },
    { says: 'on its own before that of an inverter', devices: [inverter, subMeter], watts: 900 },
    { says: 'of the inverter when it is the only one', devices: [inverter], watts: 77 },
  ]) {
    test(`the grid is the meter ${says}`, () => {
      const { parts } = flowsFrom(measuredParts(devices), at);
      assert.deepEqual(
        parts.filter(({ kind }) => kind === 'meter').map((part) => part.watts),
        [watts],
      );
    });
  }

  test('without readings of a device its powers and the house are unknown', () => {
    const { parts, house } = flowsFrom(measuredParts([{ ...inverter, readings: {} }, p1]), at);
    assert.equal(parts.find(({ kind }) => kind === 'pv')!.watts, undefined);
    assert.equal(house, undefined);
  });

  test('an old reading has no current power', () => {
    const { parts } = flowsFrom(measuredParts([p1]), at + 6 * 60_000);
    assert.equal(parts[0]!.watts, undefined);
    assert.equal(parts[0]!.atMs, at);
  });

  for (const { says, devices, nowMs = at, unknown } of [
    { says: 'nothing when everything is measured', devices: [inverter, p1], unknown: [] },
    {
      says: 'the house without a grid meter',
      devices: [{ ...inverter, ders: inverter.ders.slice(0, 2) }],
      unknown: ['house'],
    },
    {
      says: 'a battery without readings, and therefore the house',
      devices: [{ ...inverter, readings: read('pv', { W: -7000 }) }, p1],
      unknown: ['battery', 'house'],
    },
    {
      says: 'everything when all readings are old',
      devices: [inverter, p1],
      nowMs: at + 6 * 60_000,
      unknown: ['sun', 'grid', 'battery', 'house'],
    },
  ]) {
    test(`unknown is ${says}`, () => assert.deepEqual(unknownIn(flowsFrom(measuredParts(devices), nowMs)), unknown));
  }
});
