import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../../decode-modbus.ts';
import { imageOf, text, u16 } from '../testing/encode.ts';
import { model } from '../testing/sunspec-words.ts';
import { trackersOf } from './ders.ts';

for (const { name, role } of [
  { name: 'MPPT 1', role: 'pv' },
  { name: 'Channel 1', role: 'pv' },
  { name: 'CHANNEL B', role: 'pv' },
  { name: 'StCha 3', role: 'charging' },
  { name: 'Charge', role: 'charging' },
  { name: 'StDisCha 4', role: 'discharging' },
  { name: 'Discharge', role: 'discharging' },
]) {
  test(`an input called ${name} is ${role}`, async () => {
    const words = model(160, 28, { 8: u16(1), 11: text(name, 8) });
    const read = readFrom(imageOf({ holding: { 0: words } }));
    const parts = await trackersOf({ id: 160, table: 'holding', address: 0, length: 28 }, false, read);
    assert.deepEqual(parts, [{ index: 0, role }]);
  });
}
