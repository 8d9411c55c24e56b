import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routingKey, topicOf } from './publisher.ts';

test('a filter becomes a routing key, and a routing key a topic', () => {
  assert.equal(routingKey('orgs/o-1/sites/+/#'), 'orgs.o-1.sites.*.#');
  assert.equal(topicOf('gateways.gw-1.state.json.v1'), 'gateways/gw-1/state/json/v1');
});
