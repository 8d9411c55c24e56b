import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import { readFrom } from '../decode-modbus.ts';
import { findModbusProfile, modbusProfiles } from './index.ts';
import { devices } from './testing/devices.ts';
import { change, type Fixture, imageOf } from './testing/encode.ts';

function assertValues(values: DerValues, expected: Fixture['expected'], says: string): void {
  for (const [kind, fields] of Object.entries(expected)) {
    for (const [name, value] of Object.entries(fields)) {
      const measured: Record<string, unknown> = { ...values[kind as DerKind] };
      assert.equal(measured[name], value, `${says}: ${kind}.${name} is ${String(measured[name])}`);
    }
  }
}

for (const device of devices) {
  test(`${device.profile}: ${device.says}`, async () => {
    const image = imageOf(device);
    const recognised = await findModbusProfile(device.profile)!.recognise(readFrom(image));
    assert.equal(recognised.serial, device.serial);
    assert.equal(recognised.rated_power_W, device.rated_power_W);
    assert.deepEqual([...recognised.ders].sort(), Object.keys(device.expected).sort());
    assertValues(await recognised.harvest(), device.expected, 'at first');

    for (const { says, expected, ...registers } of device.later ?? []) {
      change(image, registers);
      assertValues(await recognised.harvest(), expected, says);
    }
  });
}

test('every profile has a test device', () => {
  const covered = new Set(devices.map(({ profile }) => profile));
  assert.deepEqual(
    modbusProfiles.map(({ profile }) => profile).filter((id) => !covered.has(id)),
    [],
  );
});

test('profile ids are unique', () => {
  assert.equal(new Set(modbusProfiles.map(({ profile }) => profile)).size, modbusProfiles.length);
});
