import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeModbus } from '../decode-modbus.ts';
import { blueprint } from './blueprint.ts';
import { modbusProfiles } from './index.ts';
import { i16, i32, imageOf, text, u16, u32 } from './testing/encode.ts';

const image = imageOf({
  holding: { 1000: text('BP-6000', 8), 1010: text('BP24000123', 8), 1020: u16(60) },
  input: {
    10: [...u16(1500), ...u16(3402), 0, ...u16(0xffff)],
    20: u32(12_345),
    30: [...i16(700), ...u16(55)],
    40: [...i32(-82), ...i16(1), ...u16(5002)],
  },
});

test('the blueprint decodes its test device', async () => {
  assert.deepEqual(await decodeModbus(blueprint, image), {
    serial: 'BP24000123',
    rated_power_W: 6000,
    pv: { W: -1500, mppt1_V: 340.2, total_generation_Wh: 1_234_500 },
    battery: { W: -700, SoC_nom_fract: 0.55 },
    meter: { W: -820, Hz: 50.02 },
  });
});

test('the blueprint is not listed as a profile', () => {
  assert.ok(!modbusProfiles.includes(blueprint));
});
