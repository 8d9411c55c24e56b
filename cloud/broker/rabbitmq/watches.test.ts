import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from 'amqplib';
import { createLog } from '#lib/log.ts';
import { until } from '#test/until.ts';
import { routingKey } from './publisher.ts';
import { createWatches } from './watches.ts';

const log = createLog({ level: 'silent', name: 'test' });

/** A channel whose broker answers the first `answers` bindings, and then no more until it is lost. */
function channelOf(answers: number) {
  const bound: string[] = [];
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const channel = {
    assertQueue: async () => ({ queue: 'q' }),
    consume: async () => {},
    bindQueue: async (_queue: string, _exchange: string, key: string) => {
      bound.push(key);
      if (bound.length > answers) await lost.promise;
    },
    unbindQueue: async () => {},
  } as unknown as Channel;
  return { channel, bound, lose: () => lost.reject(new Error('Channel ended, no reply will be forthcoming')) };
}

const sites = ['live/s-1', 'live/s-2', 'live/s-3'];

async function openWatches() {
  const watches = createWatches(log);
  await watches.watch('platform/revocations', () => {});
  const leave = new Map<string, () => void>();
  for (const site of sites) leave.set(site, await watches.watch(site, () => {}));
  return { watches, leave };
}

test('a connection is set up once the first topic is bound, however long the others take', async () => {
  const { watches } = await openWatches();
  const { channel, bound } = channelOf(1);
  await watches.setUp(channel);
  assert.deepEqual(bound, ['platform/revocations', 'live/s-1'].map(routingKey));
});

test('the others are bound in order, without those that nobody follows any more', async () => {
  const { watches, leave } = await openWatches();
  const { channel, bound } = channelOf(Number.POSITIVE_INFINITY);
  const done = watches.setUp(channel);
  leave.get('live/s-2')!();
  await done;
  await until(() => bound.length === 3);
  assert.deepEqual(bound, ['platform/revocations', 'live/s-1', 'live/s-3'].map(routingKey));
});

test('topics that were not bound on a lost connection are bound once on the next', async () => {
  const { watches } = await openWatches();
  const first = channelOf(2);
  await watches.setUp(first.channel);
  await until(() => first.bound.length === 3);
  watches.lost();
  first.lose();
  const next = channelOf(Number.POSITIVE_INFINITY);
  await watches.setUp(next.channel);
  await until(() => next.bound.length === 4);
  assert.deepEqual(next.bound, ['platform/revocations', ...sites].map(routingKey));
  assert.equal(first.bound.length, 3);
});
