import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planMessage } from '#contract/gateway-plan.ts';
import { nameDevices } from './progress-names.ts';

const devices = [
  { hardware_id: 'SN1', name: 'Cellar $& inverter' },
  { hardware_id: '1', name: 'Meter' },
];

for (const [message, shown] of [
  [planMessage('held_by_person', ['SN1', 'SN2']), planMessage('held_by_person', ['Cellar $& inverter', 'SN2'])],
  [planMessage('held_by_person', ['1', 'SN1', '1']), planMessage('held_by_person', ['Meter', 'Cellar $& inverter'])],
  [planMessage('unconfirmed', ['SN1']), planMessage('unconfirmed', ['Cellar $& inverter'])],
  [planMessage('no_step'), planMessage('no_step')],
  ['SN1 is broken 1.', 'SN1 is broken 1.'],
] as const) {
  test(`"${message}" is shown with names`, () => assert.equal(nameDevices(message, devices), shown));
}
