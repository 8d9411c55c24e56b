import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeModbus, NoRegisterImage, readRegisterImage } from './decode-modbus.ts';
import { findModbusProfile } from './profiles/index.ts';
import { devices } from './profiles/testing/devices.ts';
import { imageOf } from './profiles/testing/encode.ts';

test('blocks, lists of blocks and units are the same image', () => {
  const expected = {
    holding: new Map([[10, 1]]),
    input: new Map([
      [5, 2],
      [6, 3],
    ]),
  };
  const holding = { unit_id: 1, function_code: 3, blocks: { 10: [1] } };
  const input = { unit_id: 1, function_code: 4, blocks: { 5: [2, 3] } };
  assert.deepEqual(readRegisterImage([holding, input]), expected);
  assert.deepEqual(readRegisterImage({ units: { 1: { holding: { 10: 1 }, input: { 5: 2, 6: 3 } } } }), expected);
  assert.deepEqual(readRegisterImage(holding), { ...expected, input: new Map() });
});

test('an image of several units uses the preferred unit, otherwise the first', () => {
  const units = { units: { 1: { holding: { 0: 11 } }, 100: { holding: { 0: 22 } } } };
  assert.equal(readRegisterImage(units, 100).holding.get(0), 22);
  assert.equal(readRegisterImage(units, 7).holding.get(0), 11);
});

for (const { says, json } of [
  { says: 'no object', json: 'registers' },
  { says: 'nothing at all', json: {} },
  { says: 'no registers', json: { units: {} } },
  { says: 'another function', json: { function_code: 1, blocks: {} } },
  { says: 'a block that is not a list', json: { function_code: 3, blocks: { 1: 2 } } },
  { says: 'a word too large', json: { function_code: 3, blocks: { 1: [65_536] } } },
  { says: 'a word that is text', json: { units: { 1: { input: { 1: '7' } } } } },
  { says: 'an address that is not a number', json: { units: { 1: { input: { first: 7 } } } } },
  { says: 'registers beyond the last', json: { function_code: 3, blocks: { 65535: [1, 2] } } },
]) {
  test(`not a register image: ${says}`, () => assert.throws(() => readRegisterImage(json), NoRegisterImage));
}

test('a device of another brand is refused with a reason', async () => {
  const image = imageOf(devices.find(({ profile }) => profile === 'sofar')!);
  assert.deepEqual(await decodeModbus(findModbusProfile('sdm630')!, image), {
    ok: false,
    reason: 'This is not an Eastron SDM630 meter: it does not answer at register 52, its power.',
  });
});

test('values that the device does not report are null', async () => {
  const image = imageOf(devices.find(({ profile }) => profile === 'sigenergy')!);
  assert.deepEqual(await decodeModbus(findModbusProfile('sigenergy')!, image), {
    serial: null,
    rated_power_W: null,
    pv: { W: -6000 },
    battery: { W: 4100, SoC_nom_fract: 0.987 },
    meter: { W: -1200, L1_W: -400, L2_W: -500, L3_W: -300 },
  });
});
