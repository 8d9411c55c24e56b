import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../decode-modbus.ts';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { detectProfiles, mostRequests, usualPorts, usualUnitIds } from './detect.ts';
import { modbusProfiles } from './modbus-profiles.ts';
import { devices } from './testing/devices.ts';
import { imageOf } from './testing/encode.ts';

const anonymous = () => Promise.reject(new ModbusException(1));

/** The paper device of a profile, and how often it is asked. */
function paper(profile: string): { read: ReadRegisters; asked: () => number } {
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

test('a device that does not name itself is found by its registers, within the limit of requests', async () => {
  for (const { profile } of modbusProfiles) {
    const device = paper(profile);
    const found = await detectProfiles(device.read, anonymous);
    assert.equal(found[0]?.profile, profile);
    assert.ok(device.asked() < mostRequests, `${profile} was asked ${device.asked()} times`);
  }
});

test('a vendor name goes first and is proof together with the registers', async () => {
  const device = paper('goodwe');
  const found = await detectProfiles(device.read, async () => ({ vendor: 'GoodWe Technologies' }));
  assert.deepEqual(found, [
    {
      profile: 'goodwe',
      confidence: 'high',
      serial: '98000ETU21AB0001',
      reason: 'It names its maker "GoodWe Technologies".',
    },
  ]);
  assert.ok(device.asked() < 60, `asked ${device.asked()} times`);
});

test('a vendor name alone is no device', async () => {
  const found = await detectProfiles(readFrom(imageOf({})), async () => ({ vendor: 'Sungrow' }));
  assert.deepEqual(found, []);
});

test('what has a serial number in its place is more certain than plausible values', async () => {
  const both: ReadRegisters = async (...question) =>
    paper('sofar')
      .read(...question)
      .catch(() => paper('sdm630').read(...question));
  const found = await detectProfiles(both, anonymous);
  assert.deepEqual(
    found.map(({ profile, confidence }) => [profile, confidence]),
    [
      ['sofar', 'medium'],
      ['sdm630', 'low'],
    ],
  );
});

test('a unit that is not there is left to the caller', async () => {
  const silent = () => Promise.reject(new LinkError('No answer.'));
  await assert.rejects(detectProfiles(silent, silent), LinkError);
});

test('a device that is silent where it has nothing is not asked for ever', async () => {
  let silences = 0;
  const device = paper('solis');
  const read: ReadRegisters = (...question) =>
    device.read(...question).catch(() => {
      silences += 1;
      throw new LinkError('No answer.');
    });
  await assert.rejects(detectProfiles(read, anonymous), LinkError);
  assert.equal(silences, 3);
});

test('every place that a profile names is looked at, once, and the most usual first', () => {
  for (const { profile, defaults, hints } of modbusProfiles) {
    for (const port of [defaults.port, ...(hints?.ports ?? [])]) assert.ok(usualPorts.includes(port), profile);
    for (const id of [defaults.unit_id, ...(hints?.unit_ids ?? [])]) assert.ok(usualUnitIds.includes(id), profile);
  }
  assert.deepEqual(usualPorts, [502, 1502, 6607]);
  assert.deepEqual(usualUnitIds.slice(0, 2), [1, 247]);
  assert.equal(new Set(usualUnitIds).size, usualUnitIds.length);
});
