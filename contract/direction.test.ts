import assert from 'node:assert/strict';
import { test } from 'node:test';
import { directionOf, idleW } from './direction.ts';

for (const [type, plus, minus, idle] of [
  ['solar', 'using', 'generating', 'not generating'],
  ['battery', 'charging', 'discharging', 'idle'],
  ['ev_charger_port', 'charging', 'discharging', 'idle'],
  ['meter', 'importing', 'exporting', 'in balance'],
  ['load', 'using', 'giving back', 'idle'],
] as const) {
  test(`power into a ${type} is ${plus}, out of it ${minus}, and too little of either ${idle}`, () => {
    assert.deepEqual([directionOf(type, idleW), directionOf(type, -idleW)], [plus, minus]);
    for (const watts of [0, 1 - idleW, idleW - 1]) assert.equal(directionOf(type, watts), idle);
  });
}
