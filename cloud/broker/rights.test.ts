import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { mayPublish, maySubscribe } from './admission.ts';
import { matches } from './topic-filter.ts';
import type { BrokerClient } from './transport.ts';

const gateway: BrokerClient = { kind: 'gateway', serial: 'gw-1' };
const member: BrokerClient = { kind: 'member', identityId: 'idt-1', tokenId: 'tok-1', orgIds: ['org-1', 'org-2'] };
const admin: BrokerClient = { ...member, orgIds: 'every' };

describe('what may be published', () => {
  for (const [topic, isAllowed] of Object.entries({
    'gateways/gw-1/devices/INV-1/ders/pv/telemetry/json/v1': true,
    'gateways/gw-1/state/json/v1': true,
    'gateways/gw-1/logs/raw': true,
    'logs/gw-1/raw': true,
    'logs/gw-1/raw/more': false,
    'logs/gw-2/raw': false,
    'gateways/gw-1/something/new': true,
    'control/gw-1/battery/INV-1/ems/acks': true,
    'control/gw-1/pv/INV-1/ems/acks': true,
    'control/gw-1/battery/INV-1/ems/commands': false,
    'control/gw-1/heater/INV-1/ems/acks': false,
    'control/gw-1/battery/INV-1/ems/acks/more': false,
    'control/gw-2/battery/INV-1/ems/acks': false,
    'gateways/gw-1/telemetry/ack': false,
    'gateways/gw-1/devices/INV-1/ders/pv/control': false,
    'gateways/gw-1/devices/INV-1/ders/pv/control/set': false,
    'gateways/gw-1': false,
    'gateways/gw-1/': false,
    'gateways/gw-1//state': false,
    'gateways/gw-1/state\0': false,
    'gateways/gw-1/+': false,
    'gateways/gw-1/#': false,
    'gateways/gw-10/state/json/v1': false,
    'gateways/gw-2/state/json/v1': false,
    'orgs/org-1/sites/sit-1': false,
    '$SYS/broker/uptime': false,
    '/gateways/gw-1/state/json/v1': false,
    '': false,
  })) {
    test(`a gateway ${isAllowed ? 'may' : 'may not'} publish to ${JSON.stringify(topic)}`, () =>
      assert.equal(mayPublish(gateway, topic), isAllowed));
  }

  test('a topic is at most 512 characters long', () => {
    assert.equal(mayPublish(gateway, `gateways/gw-1/${'x'.repeat(65_000)}`), false);
  });

  test('members publish nothing', () => {
    for (const topic of ['orgs/org-1/x', 'gateways/gw-1/state/json/v1', 'control/gw-1/pv/INV-1/ems/commands']) {
      assert.equal(mayPublish(member, topic), false);
      assert.equal(mayPublish(admin, topic), false);
    }
  });
});

describe('what may be subscribed to', () => {
  const table: [BrokerClient, string, boolean][] = [
    [gateway, 'control/gw-1/#', true],
    [gateway, 'control/gw-1/+/INV-1/ems/commands', true],
    [gateway, 'control/gw-1', true],
    [gateway, 'gateways/gw-1/telemetry/ack', true],
    [gateway, 'gateways/gw-1/devices/+/ders/+/control/#', true],
    [gateway, 'gateways/gw-1/devices/INV-1/ders/pv/control/set', true],
    [gateway, '$share/g/control/gw-1/#', true],
    [gateway, 'gateways/gw-1/#', false],
    [gateway, 'gateways/gw-1/telemetry/+', false],
    [gateway, 'gateways/gw-1/devices/#', false],
    [gateway, 'gateways/gw-1/devices/+/ders/+/telemetry/json/v1', false],
    [gateway, 'control/gw-2/#', false],
    [gateway, 'control/+/#', false],
    [gateway, 'control/#', false],
    [gateway, '+/gw-1/#', false],
    [gateway, '#', false],
    [gateway, '$share/g/#', false],
    [gateway, '$SYS/#', false],
    [gateway, '$queue/control/gw-1/#', false],
    [gateway, 'orgs/org-1/#', false],
    [gateway, 'control/gw-1/\0', false],
    [gateway, '', false],
    [member, 'orgs/org-1/#', true],
    [member, 'orgs/org-2/sites/+/devices/+/ders/+/telemetry/json/v1', true],
    [member, 'orgs/org-3/#', false],
    [member, 'orgs/+/sites/#', false],
    [member, 'orgs/#', false],
    [member, '#', false],
    [member, 'control/gw-1/#', false],
    [member, 'gateways/gw-1/#', false],
    [member, '$SYS/#', false],
    [admin, 'orgs/+/#', true],
    [admin, 'orgs/org-9/#', true],
    [admin, 'orgs/#', false],
    [admin, 'control/gw-1/#', false],
    [admin, '#', false],
  ];
  for (const [client, filter, isAllowed] of table) {
    const who = client === admin ? 'an administrator' : `a ${client.kind}`;
    test(`${who} ${isAllowed ? 'may' : 'may not'} subscribe to ${JSON.stringify(filter)}`, () =>
      assert.equal(maySubscribe(client, filter), isAllowed));
  }

  test('no filter that a gateway may use matches a topic of another serial or organization', () => {
    const level = fc.constantFrom(
      'gateways',
      'control',
      'orgs',
      'gw-1',
      'gw-2',
      'org-1',
      'devices',
      'ders',
      'telemetry',
      'ack',
    );
    const filter = fc.array(fc.oneof(level, fc.constantFrom('+', '#')), { minLength: 1, maxLength: 8 });
    const topic = fc.array(level, { minLength: 1, maxLength: 8 }).map((levels) => levels.join('/'));
    const isOwn = (topic: string): boolean => /^(control|gateways)\/gw-1(\/|$)/.test(topic);
    fc.assert(
      fc.property(filter, fc.array(topic, { maxLength: 300 }), (levels, topics) => {
        const filter = levels.join('/');
        if (maySubscribe(gateway, filter)) assert.ok(topics.every((topic) => !matches(filter, topic) || isOwn(topic)));
      }),
      { numRuns: amount(2000) },
    );
  });
});
