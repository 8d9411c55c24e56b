import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeviceEntry } from '#contract/gateway/devices.ts';
import { findDeviceAt } from './device-at.ts';

const inverter = (sn: string, ip: string, unit_id: number): DeviceEntry => ({
  type: 'modbus_tcp',
  profile: 'sungrow',
  device_type: 'inverter',
  sn,
  connected: true,
  path: `devices/${sn}`,
  ders: [],
  ip,
  port: 502,
  unit_id,
});

const devices = [inverter('SG-1', '10.0.0.5', 1), inverter('SG-2', '10.0.0.6', 1)];

for (const { says, ip = '10.0.0.5', port = 502, unit_id = 1, serial, sn } of [
  { says: 'a device is found by its address', sn: 'SG-1' },
  { says: 'another device of the same type is found by its own address', ip: '10.0.0.6', sn: 'SG-2' },
  { says: 'a device of the same type at a new address is not found', ip: '10.0.0.7', sn: undefined },
  { says: 'another unit at the same address is not found', unit_id: 2, sn: undefined },
  { says: 'another port of the same address is not found', port: 1502, sn: undefined },
  { says: 'a device with another host name is found by its serial number', ip: 'sg.local', serial: 'SG-2', sn: 'SG-2' },
]) {
  test(says, () => {
    const candidate = { unit_id, ...(serial !== undefined && { serial }) };
    assert.equal(findDeviceAt({ ip, port }, candidate, devices)?.sn, sn);
  });
}
