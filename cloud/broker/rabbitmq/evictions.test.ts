import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { createEvictions } from './evictions.ts';
import type { Management, MqttConnection } from './management.ts';

const minute = 60_000;

/** Evictions from a broker that is a list of connections, and seconds that pass when told. */
function evictionsFrom(connections: MqttConnection[]) {
  mock.timers.enable({ apis: ['setInterval'] });
  const clock = createFakeClock(0);
  const closed: string[] = [];
  let isDown = false;
  const management: Management = {
    async closeAllOf(username) {
      if (isDown) throw new Error('no answer');
      closed.push(`all of ${username}`);
    },
    async close({ name }) {
      closed.push(name);
    },
    connectionsOf: async (username) => connections.filter((connection) => connection.username === username),
    async *allConnections() {
      yield* connections;
    },
  };
  const evictions = createEvictions({
    management,
    clock,
    log: createLog({ level: 'silent', name: 'test' }),
  });
  evictions.start();
  return {
    evictions,
    closed,
    fail: (does: boolean) => {
      isDown = does;
    },
    async pass(ms: number) {
      clock.advance(ms);
      mock.timers.tick(1_000);
      for (let turns = 0; turns < 5; turns++) await turn();
    },
  };
}

test('a connection ends with its token', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([{ name: 'one', username: 'gw-1', clientId: 'gw-1', connectedAtMs: 50 }]);
  broker.evictions.admitted({ username: 'gw-1', clientId: 'gw-1', expiresAt: 60 * minute });
  await broker.pass(59 * minute);
  assert.deepEqual(broker.closed, []);
  await broker.pass(minute);
  assert.deepEqual(broker.closed, ['one']);
  await broker.pass(minute);
  assert.deepEqual(broker.closed, ['one']);
});

test('a connection that another process admitted later outlives the earlier token', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([{ name: 'later', username: 'gw-1', clientId: 'gw-1', connectedAtMs: 50 * minute }]);
  broker.evictions.admitted({ username: 'gw-1', clientId: 'gw-1', expiresAt: 55 * minute });
  await broker.pass(55 * minute);
  assert.deepEqual(broker.closed, []);
});

test('of two connections of a member, only the one with the revoked token ends', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([
    { name: 'phone', username: 'id-1', clientId: 'phone', connectedAtMs: 0 },
    { name: 'desk', username: 'id-1', clientId: 'desk', connectedAtMs: 0 },
  ]);
  broker.evictions.admitted({ username: 'id-1', clientId: 'phone', expiresAt: minute, tokenId: 't-1' });
  broker.evictions.admitted({ username: 'id-1', clientId: 'desk', expiresAt: minute, tokenId: 't-2' });
  await broker.evictions.evictToken('t-2');
  assert.deepEqual(broker.closed, ['desk']);
});

test('a connection too new to be identified is closed with the others', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([{ name: 'new', username: 'id-1' }]);
  broker.evictions.admitted({ username: 'id-1', clientId: 'phone', expiresAt: minute, tokenId: 't-1' });
  await broker.evictions.evictToken('t-1');
  assert.deepEqual(broker.closed, ['all of id-1']);
});

test('an eviction is repeated when the broker has forgotten its permissions', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([]);
  await broker.evictions.evict('gw-1');
  await broker.pass(30_000);
  assert.deepEqual(broker.closed, ['all of gw-1']);
  await broker.pass(5_000);
  assert.deepEqual(broker.closed, ['all of gw-1', 'all of gw-1']);
});

test('an eviction that fails is tried again each second', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([]);
  broker.fail(true);
  await broker.evictions.evict('gw-1');
  await broker.pass(1_000);
  broker.fail(false);
  await broker.pass(1_000);
  assert.deepEqual(broker.closed, ['all of gw-1']);
  await broker.pass(35_000);
  assert.deepEqual(broker.closed, ['all of gw-1', 'all of gw-1']);
});

test('what a lost process admitted is found by the sweep', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([
    { name: 'old', username: 'gw-1', connectedAtMs: 0 },
    { name: 'young', username: 'gw-2', connectedAtMs: 30 * minute },
    { name: 'new', username: 'gw-3' },
  ]);
  await broker.pass(66 * minute);
  mock.timers.tick(60_000);
  for (let turns = 0; turns < 5; turns++) await turn();
  assert.deepEqual(broker.closed, ['old']);
});

test('when all members are sent away, those that another process admitted go too, and gateways stay', async (t) => {
  t.after(() => mock.timers.reset());
  const broker = evictionsFrom([
    { name: 'one', username: 'idt-1', clientId: 'idt-1', connectedAtMs: 0 },
    { name: 'two', username: 'gw-1', clientId: 'gw-1', connectedAtMs: 0 },
  ]);
  broker.evictions.admitted({ username: 'idt-2', clientId: 'idt-2', expiresAt: 60 * minute, tokenId: 'tok-2' });
  broker.fail(true);
  await broker.evictions.evictMembers();
  assert.deepEqual(broker.closed, []);
  broker.fail(false);
  await broker.pass(1000);
  assert.deepEqual(broker.closed, ['all of idt-2', 'all of idt-1']);
});
