import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../decode-modbus.ts';
import { LinkError, ModbusException, type ReadRegisters } from '../links/modbus/unit.ts';
import { detectOrder, detectProfiles, mostRequests } from './detect.ts';
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

test('every profile says where to look for it', () => {
  assert.deepEqual(
    detectOrder.map(({ profile }) => profile),
    modbusProfiles.map(({ profile }) => profile),
  );
  const huawei = detectOrder.find(({ profile }) => profile === 'huawei')!;
  assert.deepEqual([huawei.ports, huawei.unit_ids], [[502, 6607], [1]]);
});
