import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelModel, ConsumeMessage, Message } from 'amqplib';
import { telemetryTopic } from '#contract/topics.ts';
import { createLog } from '#lib/log.ts';
import { until } from '#test/until.ts';
import { createIngest } from './ingest.ts';
import { routingKey } from './publisher.ts';

const log = createLog({ level: 'silent', name: 'test' });
const reading = routingKey(telemetryTopic('gw-1', 'inv_1', 'pv'));

/** An ingest on a fake channel, its replies to the broker, and a function that delivers a reading. */
async function open(message: (text: string) => Promise<boolean>, poisonAfter: number) {
  const said: string[] = [];
  let take: (delivery: ConsumeMessage) => void = () => {};
  const channel = Object.assign(new EventEmitter(), {
    prefetch: async () => {},
    assertQueue: async () => ({ messageCount: 0 }),
    bindQueue: async () => {},
    consume: async (_: string, consumer: typeof take) => {
      take = consumer;
    },
    ack: ({ fields }: Message) => void said.push(`ack ${fields.deliveryTag}`),
    nack: ({ fields }: Message) => void said.push(`dead ${fields.deliveryTag}`),
  });
  const ingest = createIngest({ poisonAfter, log });
  ingest.start({ message: ({ payload }) => message(Buffer.from(payload).toString()), presence() {} });
  await ingest.setUp({ createChannel: async () => channel } as unknown as ChannelModel);
  let deliveryTag = 0;
  const deliver = (text: string, headers = {}): void => {
    deliveryTag++;
    const fields = { deliveryTag, routingKey: reading };
    take({ fields, properties: { headers }, content: Buffer.from(text) } as unknown as ConsumeMessage);
  };
  return { said, deliver, figures: ingest.figures };
}

test('readings that cannot be stored are kept although others are dropped', async () => {
  let isReadOnly = true;
  let attempts = 0;
  const { said, deliver, figures } = await open(async (text) => {
    if (text === 'dropped') return false;
    attempts++;
    if (isReadOnly) throw new Error('cannot execute INSERT in a read-only transaction');
    return true;
  }, 1);
  deliver('kept');
  await until(async () => {
    deliver('dropped');
    await sleep(20);
    return attempts === 3;
  });
  assert.equal(figures.poisoned, 0);
  isReadOnly = false;
  const storedBefore = figures.stored;
  await until(() => figures.stored > storedBefore);
  assert.equal(attempts, 4);
  assert.ok(said.every((word) => word.startsWith('ack')));
});

test('readings whose server is down are kept although those of other servers are stored', async () => {
  let isUp = false;
  let attempts = 0;
  const { said, deliver, figures } = await open(async (text) => {
    if (text === 'elsewhere') return true;
    attempts++;
    if (!isUp) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return true;
  }, 1);
  deliver('kept');
  await until(async () => {
    deliver('elsewhere');
    await sleep(20);
    return attempts === 3;
  });
  isUp = true;
  await until(() => attempts === 4);
  await until(() => said.includes('ack 1') || said.length > 0);
  assert.deepEqual([figures.poisoned, said.filter((word) => word.startsWith('dead'))], [0, []]);
});

test('a held message is tried again before it is judged', async () => {
  let isDatabaseUp = false;
  const stored: string[] = [];
  const { said, deliver, figures } = await open(async (text) => {
    if (!isDatabaseUp) throw new Error('the database is away');
    stored.push(text);
    return true;
  }, 1);
  deliver('held', { 'x-delivery-count': 150 });
  await sleep(50);
  isDatabaseUp = true;
  deliver('new');
  await until(() => stored.length === 2);
  assert.deepEqual(stored, ['new', 'held']);
  await until(() => said.includes('ack 1') || said.includes('ack 2'));
  assert.equal(figures.poisoned, 0);
});

test('a message that fails again and again beside others that are stored is set aside', async () => {
  let attempts = 0;
  const { said, deliver, figures } = await open(async (text) => {
    if (text === 'good') return true;
    attempts++;
    throw new Error('cannot be stored');
  }, 3);
  deliver('good');
  deliver('bad');
  await until(async () => {
    deliver('good');
    await sleep(20);
    return figures.poisoned === 1;
  });
  assert.ok(attempts >= 3, `${attempts} attempts`);
  assert.deepEqual(
    said.filter((word) => word.startsWith('dead')),
    ['dead 2'],
  );
});
