import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { generate } from 'mqtt-packet';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { until } from '#test/until.ts';
import { mayPublish, maySubscribe } from '../admission.ts';
import { createEmbeddedBroker } from '../embedded.ts';
import type { Admission } from '../transport.ts';

test('logins are checked a few at a time, in order, and not for clients that left meanwhile', async (t) => {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  const first = Promise.withResolvers<void>();
  const admission: Admission = {
    platformMessage: () => '{}',
    async login({ username: serial }) {
      asked.push(serial);
      if (serial === 'gw-1') await first.promise;
      return { client: { kind: 'gateway', serial }, expiresAt: clock.now() + 60_000 };
    },
    mayPublish,
    maySubscribe,
    renew: async (client) => client,
  };
  const log = createLog({ level: 'silent', name: 'test' });
  const limits = { loginsAtOnce: 1 };
  const broker = createEmbeddedBroker({
    admission,
    host: '127.0.0.1',
    mqttPort: 0,
    mayMove: false,
    limits,
    clock,
    log,
  });
  await broker.start({ message: async () => true, presence: () => {} });
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await broker.close();
  });
  const port = Number(new URL(broker.urls.mqtt ?? '').port);
  const enter = async (serial: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    socket.write(generate({ cmd: 'connect', clientId: serial, username: serial, password: Buffer.from('x') }));
    return socket;
  };
  sockets.push(await enter('gw-1'));
  await until(() => asked.length === 1);
  sockets.push(await enter('gw-2'), await enter('gw-3'), await enter('gw-4'));
  const [, , third, fourth] = sockets;
  assert.ok(third && fourth);
  third.destroy();
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate); // the broker, in this process, notices it
  first.resolve();
  await once(fourth, 'data');
  assert.deepEqual(asked, ['gw-1', 'gw-2', 'gw-4']);
});
