import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../decode-modbus.ts';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { detectProfiles, maxRequests, usualPorts, usualUnitIds } from './detect.ts';
import { modbusProfiles } from './index.ts';
import { devices } from './testing/devices.ts';
import { imageOf } from './testing/encode.ts';

const anonymous = () => Promise.reject(new ModbusException(1));

/** Simulates the test device of a profile, and counts requests. */
function testDevice(profile: string): { read: ReadRegisters; asked: () => number } {
  const answer = readFrom(imageOf(devices.find((device) => device.profile === profile)!));
  let asked = 0;
  return {
    read: (...question) => {
      asked += 1;
      return answer(...question);
    },
    asked: () => asked,
  };
}

test('a device without a vendor name is recognised by its registers, within the request limit', async () => {
  for (const { profile } of modbusProfiles) {
    const device = testDevice(profile);
    const found = await detectProfiles(device.read, anonymous);
    assert.equal(found[0]?.profile, profile);
    assert.ok(device.asked() < maxRequests, `${profile} was asked ${device.asked()} times`);
  }
});

test('a profile matching the vendor name is tried first, and certain if the registers match too', async () => {
  const device = testDevice('goodwe');
  const found = await detectProfiles(device.read, async () => ({ vendor: 'GoodWe Technologies' }));
  assert.deepEqual(found, [
    {
      profile: 'goodwe',
      confidence: 'high',
      serial: '98000ETU21AB0001',
      reason: 'It reports the manufacturer "GoodWe Technologies".',
    },
  ]);
  assert.ok(device.asked() < 60, `asked ${device.asked()} times`);
});

test('a vendor name alone does not identify a device', async () => {
  const found = await detectProfiles(readFrom(imageOf({})), async () => ({ vendor: 'Sungrow' }));
  assert.deepEqual(found, []);
});

test('a serial number in the expected register outranks plausible values', async () => {
  const both: ReadRegisters = async (...question) =>
    testDevice('sofar')
      .read(...question)
      .catch(() => testDevice('sdm630').read(...question));
  const found = await detectProfiles(both, anonymous);
  assert.deepEqual(
    found.map(({ profile, confidence }) => [profile, confidence]),
    [
      ['sofar', 'medium'],
      ['sdm630', 'low'],
    ],
  );
});

test('a unit that never answers causes a LinkError', async () => {
  const silent = () => Promise.reject(new LinkError('No answer.'));
  await assert.rejects(detectProfiles(silent, silent), LinkError);
});

test('the search stops after three timeouts of a device that does not answer unknown addresses', async () => {
  let silences = 0;
  const device = testDevice('solis');
  const read: ReadRegisters = (...question) =>
    device.read(...question).catch(() => {
      silences += 1;
      throw new LinkError('No answer.');
    });
  await assert.rejects(detectProfiles(read, anonymous), LinkError);
  assert.equal(silences, 3);
});

test('every port and unit id of the profiles is listed once, the most common first', () => {
  for (const { profile, defaults, hints } of modbusProfiles) {
    for (const port of [defaults.port, ...(hints?.ports ?? [])]) assert.ok(usualPorts.includes(port), profile);
    for (const id of [defaults.unit_id, ...(hints?.unit_ids ?? [])]) assert.ok(usualUnitIds.includes(id), profile);
  }
  assert.deepEqual(usualPorts, [502, 1502, 6607]);
  assert.deepEqual(usualUnitIds.slice(0, 2), [1, 247]);
  assert.equal(new Set(usualUnitIds).size, usualUnitIds.length);
});
