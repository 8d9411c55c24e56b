import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundDevice, ManagedDevice } from '#contract/manage.ts';
import { candidatesOf, distinctNames, partsToSend } from './found-devices.ts';

const found = (profile: string, more: Partial<FoundDevice> = {}): FoundDevice => ({
  connection: { type: 'modbus_tcp', profile, ip: `192.168.1.${profile.length}` },
  name: profile,
  device_type: profile.includes('meter') ? 'energy_meter' : 'inverter',
  confidence: 'high',
  reason: 'It says so.',
  ...more,
});

const managed = (sn: string): ManagedDevice => ({
  sn,
  type: 'modbus_tcp',
  profile: 'sungrow',
  name: 'Sungrow',
  device_type: 'inverter',
  connected: true,
  ders: [],
});

test('a device is offered once, and not if the platform has it', () => {
  const all = candidatesOf(
    [managed('A'), managed('B')],
    [found('one', { serial: 'A' }), found('three', { serial: 'C' }), found('four', { sn: 'B' })],
    new Set(['B']),
  );
  assert.deepEqual(
    all.map(({ product }) => product),
    ['Sungrow', 'three'],
  );
});

test('a serial line on which nothing was heard is offered, not chosen', () => {
  const line = found('p1_meter', { connection: { type: 'p1_uart', profile: 'p1_meter' }, confidence: 'low' });
  assert.deepEqual(
    candidatesOf([], [found('sungrow'), line], new Set()).map(({ isChosen }) => isChosen),
    [true, false],
  );
});

test('the meter of the grid company measures the connection, any other a circuit', () => {
  const all = candidatesOf([], [found('sdm630_meter'), found('p1_meter'), found('sungrow')], new Set());
  assert.deepEqual(
    all.map(({ isSubMeter }) => isSubMeter),
    [true, false, false],
  );
});

test('the meter of an inverter is left out beside a meter of its own', () => {
  const parts = [{ type: 'pv' }, { type: 'meter' }];
  assert.equal(partsToSend('inverter', parts, false).length, 2);
  assert.deepEqual(partsToSend('inverter', parts, true), [{ type: 'pv' }]);
  assert.equal(partsToSend('energy_meter', [{ type: 'meter' }], true).length, 1);
});

test('equal names are numbered, also beside names of before', () => {
  assert.deepEqual(distinctNames(['Inverter', 'Inverter', 'Meter'], ['Inverter']), [
    'Inverter 2',
    'Inverter 3',
    'Meter',
  ]);
});
