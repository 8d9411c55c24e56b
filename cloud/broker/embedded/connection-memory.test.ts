import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { generate, parser } from 'mqtt-packet';
import { commandFilters, platformTopic, stateTopic, telemetryAckTopic } from '#contract/topics.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { heldBytes } from '#test/held-memory.ts';
import { until } from '#test/until.ts';
import { mayPublish, maySubscribe } from '../admission.ts';
import { createEmbeddedBroker } from '../embedded.ts';
import type { Admission } from '../transport.ts';

const count = 400;
const maxBytes = 13_000; // 9 700 at the broker, the rest at the sockets of the clients, which are in this process too

const admission: Admission = {
  platformMessage: () => '{}',
  login: async ({ username: serial }) => ({ client: { kind: 'gateway', serial }, expiresAt: clock.now() + 3_600_000 }),
  mayPublish,
  maySubscribe,
  renew: async (client) => client,
};

/** Connects as a gateway of ours does, with a token of the usual length. */
async function enter(port: number, serial: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  const login = { clientId: serial, username: serial, password: Buffer.alloc(500, 'x') };
  const will = { topic: stateTopic(serial), payload: Buffer.from('{"online":false}'), qos: 1 as const, retain: false };
  socket.write(generate({ cmd: 'connect', protocolVersion: 4, clean: true, keepalive: 600, will, ...login }));
  await once(socket, 'data');
  const filters = [telemetryAckTopic(serial), ...commandFilters(serial), platformTopic(serial)];
  const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
  socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
  await once(socket, 'data');
  return socket;
}

async function openBroker() {
  const log = createLog({ level: 'silent', name: 'test' });
  const broker = createEmbeddedBroker({ admission, host: '127.0.0.1', mqttPort: 0, mayMove: false, clock, log });
  await broker.start({ message: async () => true, presence: () => {} });
  return { broker, port: Number(new URL(broker.urls.mqtt ?? '').port) };
}

test('an idle gateway connection holds little memory', async (t) => {
  const { broker, port } = await openBroker();
  t.after(() => broker.close());
  const sockets: Socket[] = [];
  const open = async (prefix: string): Promise<number> => {
    const serials = Array.from({ length: count }, (_, number) => `${prefix}-${number}`);
    sockets.push(...(await Promise.all(serials.map((serial) => enter(port, serial)))));
    return heldBytes();
  };
  const before = await open('warm-up');
  const bytes = ((await open('measured')) - before) / count;
  for (const socket of sockets) socket.destroy();
  assert.ok(bytes < maxBytes, `${Math.round(bytes)} bytes per connection`);
});

test('a message of quality of service 2 that its sender never releases holds little memory', async (t) => {
  const { broker, port } = await openBroker();
  t.after(() => broker.close());
  const socket = await enter(port, 'unreleased');
  let received = 0;
  const reader = parser().on('packet', ({ cmd }) => {
    if (cmd === 'pubrec') received++;
  });
  socket.on('data', (bytes: Buffer) => reader.parse(bytes));
  const send = async (ids: readonly number[]): Promise<number> => {
    const before = received;
    const message = { cmd: 'publish', qos: 2, dup: false, retain: false, topic: stateTopic('unreleased') } as const;
    for (const messageId of ids) socket.write(generate({ ...message, messageId, payload: Buffer.alloc(100_000) }));
    await until(() => received === before + ids.length);
    heldBytes();
    await delay(200); // buffers are freed after a collection
    return heldBytes();
  };
  const before = await send([1, 2, 3]);
  const bytes = ((await send(Array.from({ length: 30 }, (_, n) => n + 4))) - before) / 30;
  socket.destroy();
  assert.ok(bytes < 20_000, `${Math.round(bytes)} bytes per message`);
});
