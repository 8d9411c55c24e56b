import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandActionOf, commandPower } from './command.ts';

for (const { way, power_w, type } of [
  { way: 'charge', power_w: 1500, type: 'battery' },
  { way: 'discharge', power_w: -1500, type: 'battery' },
  { way: 'idle', power_w: 0, type: 'ev_charger_port' },
  { way: 'curtail', power_w: 1500, type: 'solar' },
] as const)
  test(`${way} is ${power_w} W on the wire, and back`, () =>
    assert.deepEqual([commandPower(way, 1500), commandActionOf(type, power_w)], [power_w, way]));
