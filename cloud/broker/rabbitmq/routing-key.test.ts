import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches, routingKey, topicOf } from './routing-key.ts';

test('a filter becomes a routing key, and a routing key a topic', () => {
  assert.equal(routingKey('orgs/o-1/sites/+/#'), 'orgs.o-1.sites.*.#');
  assert.equal(topicOf('gateways.gw-1.state.json.v1'), 'gateways/gw-1/state/json/v1');
});

for (const { filter, topic, does } of [
  { filter: 'a/b', topic: 'a/b', does: true },
  { filter: 'a/b', topic: 'a/c', does: false },
  { filter: 'a/+', topic: 'a/b', does: true },
  { filter: 'a/+', topic: 'a/b/c', does: false },
  { filter: 'a/+/c', topic: 'a/b', does: false },
  { filter: 'a/#', topic: 'a/b/c', does: true },
  { filter: 'a/#', topic: 'a', does: true },
  { filter: 'a/#', topic: 'b/c', does: false },
  { filter: '#', topic: 'a', does: true },
]) {
  test(`${filter} ${does ? 'matches' : 'does not match'} ${topic}`, () => assert.equal(matches(filter, topic), does));
}
