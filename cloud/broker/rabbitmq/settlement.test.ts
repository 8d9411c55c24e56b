import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Message } from 'amqplib';
import { createSettlement } from './ingest.ts';

/** A settlement with `count` open deliveries, and what it told the broker. */
function settlementOf(count: number) {
  const said: string[] = [];
  const settlement = createSettlement({
    ack: ({ fields }: Message, upTo = false) => void said.push(`${upTo ? 'all up to' : 'ack'} ${fields.deliveryTag}`),
    nack: ({ fields }: Message, _, requeue) => void said.push(`${requeue ? 'requeue' : 'dead'} ${fields.deliveryTag}`),
  });
  for (let tag = 1; tag <= count; tag++) settlement.opened(tag);
  return { said, settlement };
}

test('a thousand messages stored together are acknowledged once', async () => {
  const { said, settlement } = settlementOf(1000);
  for (let tag = 1000; tag >= 1; tag--) settlement.stored(tag);
  await turn();
  assert.deepEqual(said, ['all up to 1000']);
});

test('nothing is acknowledged past a message that is not stored yet', async () => {
  const { said, settlement } = settlementOf(4);
  for (const tag of [1, 2, 4]) settlement.stored(tag);
  await turn();
  assert.deepEqual(said, ['all up to 2']);
  settlement.stored(3);
  await turn();
  assert.deepEqual(said, ['all up to 2', 'all up to 4']);
});

test('those behind a message that failed do not wait for it', async () => {
  const { said, settlement } = settlementOf(4);
  settlement.held(2);
  for (const tag of [1, 3, 4]) settlement.stored(tag);
  await turn();
  assert.deepEqual(said, ['all up to 1', 'ack 3', 'ack 4']);
  settlement.setAside(2);
  await settlement.settled();
  assert.deepEqual(said.slice(3), ['dead 2']);
});

test('a held message that is stored after all is acknowledged', async () => {
  const { said, settlement } = settlementOf(3);
  settlement.held(1);
  settlement.stored(2);
  await turn();
  settlement.stored(1);
  settlement.stored(3);
  await settlement.settled();
  assert.deepEqual(said, ['ack 2', 'all up to 3']);
});

test('nothing is sent to a lost channel', async () => {
  const { said, settlement } = settlementOf(2);
  settlement.stored(1);
  settlement.end();
  settlement.setAside(2);
  await settlement.settled();
  await turn();
  assert.deepEqual(said, []);
});
