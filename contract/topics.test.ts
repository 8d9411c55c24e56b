import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandAckTopic, commandTopic, parseCommandTopic, parseGatewayTopic } from './topics.ts';

test('command and acknowledgement topics name the device', () => {
  const said = { serial: 'ohm-1', device: 'A_1' };
  assert.deepEqual(parseCommandTopic(commandTopic('ohm-1', 'pv', 'A:1')), { ...said, kind: 'pv' });
  const heard = parseGatewayTopic(commandAckTopic('ohm-1', 'battery', 'A:1'));
  assert.deepEqual(heard, { ...said, kind: 'command-ack', control: 'battery' });
});

test('nothing else is a command', () => {
  for (const topic of [
    'control/a/meter/b/ems/commands',
    'control/a/pv/b/ems/acks',
    'control/a/pv/b/ems/commands/more',
    'control//pv/b/ems/commands',
    'control/a/pv//ems/commands',
    'control/a/pv/b/c/ems/commands',
    '',
  ])
    assert.equal(parseCommandTopic(topic), undefined, topic);
});
