import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DerValues } from '#contract/gateway/reading.ts';
import { readFrom } from '../../decode-modbus.ts';
import { change, i32, imageOf, u16, u32 } from '../testing/encode.ts';
import { holding } from './point.ts';
import { modbusProfile } from './recognise.ts';

const hybrid = modbusProfile({
  profile: 'hybrid',
  display_name: 'Hybrid',
  make: 'Somebody',
  device_type: 'inverter',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 1 },
  sources: [],
  confidence: 'high',
  ders: {
    pv: { W: holding('u32', 0, { scale: -1 }), Hz: holding('u16', 2, { scale: 0.01 }) },
    battery: { W: holding('i32', 100), V: holding('u16', 102, { scale: 0.1 }) },
    meter: { W: holding('i32', 200) },
  },
});

const noValue = 0x8000_0000;
const asleep = { 0: [...u32(0), ...u16(5000)], 100: [...i32(0), ...u16(0)], 200: i32(noValue) };
const awake = { 100: [...i32(-700), ...u16(4000)], 200: i32(250) };

/** Returns the values after a number of readings of a device that has woken up. */
async function readAwake(readings: number): Promise<{ values: DerValues; requests: number }> {
  const image = imageOf({ holding: asleep });
  const inImage = readFrom(image);
  let requests = 0;
  const device = await hybrid.recognise((table, address, count) => {
    requests++;
    return inImage(table, address, count);
  });
  assert.deepEqual(device.ders, ['pv']);
  change(image, { holding: awake });
  requests = 0;
  let values: DerValues = {};
  for (let reading = 0; reading < readings; reading++) values = await device.harvest();
  return { values, requests };
}

test('a DER that appears later is found', async () => {
  assert.deepEqual((await readAwake(400)).values, {
    pv: { W: 0, Hz: 50 },
    battery: { W: -700, V: 400 },
    meter: { W: 250 },
  });
});

test('missing DERs are searched for only every 300 readings', async () => {
  const { values, requests } = await readAwake(200);
  assert.deepEqual(values, { pv: { W: 0, Hz: 50 } });
  assert.equal(requests, 200);
});
