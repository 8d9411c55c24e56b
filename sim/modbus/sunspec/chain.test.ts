import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { fixedHouse } from '../../testing/fixed-house.ts';
import { sunspec } from '../banks/sunspec.ts';
import { createDevice } from '../device.ts';
import { i16 } from '../testing/decode-by-hand.ts';

const values = { pv_W: -5000, battery_W: 1200, battery_soc_fract: 0.4, load_W: 1040 };

test('a SunSpec chain leads from model to model to its end', () => {
  for (const [inverter, ids] of [
    [103, [1, 103, 120, 123, 160, 124, 203, 802]],
    [113, [1, 113, 120, 123, 160, 124, 203, 802]],
  ] as const) {
    const device = createDevice(sunspec('SIMSUN1', inverter), { house: fixedHouse(values), clock: createFakeClock(0) });
    const read = (address: number): number => device.read('holding', address, 1)[0]!;
    const found: number[] = [];
    let at = 40_002;
    for (; read(at) !== 0xffff; at += 2 + read(at + 1)) found.push(read(at));
    assert.deepEqual(found, ids);
    const battery = at - 64;
    assert.deepEqual([read(battery), i16([read(battery + 47)]), read(battery + 11)], [802, -1200, 4000]);
    const meter = battery - 107;
    assert.deepEqual([read(meter), i16([read(meter + 18)])], [203, -2760]);
    const inputs = meter - 26 - 50;
    assert.deepEqual([read(inputs), read(inputs + 8), read(inputs + 21), read(inputs + 41)], [160, 2, 3000, 2000]);
  }
});
