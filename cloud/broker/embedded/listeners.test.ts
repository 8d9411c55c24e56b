import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { stateTopic } from '#contract/topics.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { selfSigned } from '#test/self-signed.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { until } from '#test/until.ts';
import { connectGateway, openBroker } from '../testing/trial.ts';

const portOf = (url: string | undefined): number => Number(new URL(url!).port);

describe('the listeners of the embedded broker', () => {
  let cloud: TestCloud;
  let gateway: GatewaySigner;

  before(async () => {
    cloud = await openCloud();
    const owner = await cloud.person();
    gateway = await cloud.claim(owner, await cloud.organization(owner));
  });
  after(() => cloud.close());

  const speakThrough = async (url: string, options = {}): Promise<void> => {
    const client = await connectGateway(url, gateway, cloud.clock.now(), options);
    await client.publishAsync(stateTopic(gateway.serial), Buffer.alloc(100_000, 'x'), { qos: 1 });
    await client.endAsync();
  };
  const rawSocket = async (url: string): Promise<Socket> => {
    const socket = openSocket(portOf(url), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };

  test('TCP, WebSocket and TLS reach the same broker', async () => {
    const tls = selfSigned();
    const { broker, messages } = await openBroker(cloud, { websocketPort: 0, tls: { ...tls, port: 0 } });
    await speakThrough(broker.urls.mqtt!);
    await speakThrough(broker.urls.websocket!);
    await speakThrough(broker.urls.mqtts!, { ca: tls.cert });
    await assert.rejects(speakThrough(broker.urls.mqtts!), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.equal(messages.length, 3);
    await broker.close();
  });

  test('a WebSocket must use the MQTT subprotocol, and the server confirms it', async () => {
    const { broker } = await openBroker(cloud, { websocketPort: 0 });
    const socket = new WebSocket(broker.urls.websocket!, 'chat');
    const [error] = await once(socket, 'error');
    assert.match(String(error), /401|400/);
    const reply = await fetch(broker.urls.websocket!.replace('ws', 'http'));
    assert.equal(reply.status, 426);
    await broker.close();
  });

  test('the broker uses another port when its port is taken and it may move', async () => {
    const taken = createServer();
    const port = await listenOnLoopback(taken);
    const { broker, url } = await openBroker(cloud, { mqttPort: port, mayMove: true });
    assert.ok(portOf(url) > port);
    await speakThrough(url);
    await broker.close();
    await assert.rejects(openBroker(cloud, { mqttPort: port, mayMove: false }), { code: 'EADDRINUSE' });
    taken.close();
  });

  test('a client that sends nothing, or half a packet, is disconnected', async () => {
    const { broker, url } = await openBroker(cloud, { limits: { connectMs: 200 } });
    const [silent, halting] = [await rawSocket(url), await rawSocket(url)];
    halting.write(Buffer.from([0x10, 0x20, 0x00, 0x04]));
    await Promise.all([once(silent, 'close'), once(halting, 'close')]);
    await broker.close();
  });

  test('a packet that announces more than allowed is not waited for', async () => {
    const { broker, url } = await openBroker(cloud);
    const socket = await rawSocket(url);
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
    const stopwatch = startStopwatch();
    await once(socket, 'close');
    assert.ok(stopwatch.ms() < 1000);
    await broker.close();
  });

  test('the connections of an address are limited; closing one makes room', async () => {
    const { broker, url } = await openBroker(cloud, { limits: { connectionsPerAddress: 2 } });
    const [first, second] = [await rawSocket(url), await rawSocket(url)];
    const third = await rawSocket(url);
    await once(third, 'close');
    first.destroy();
    await until(() => first.closed);
    await speakThrough(url);
    second.destroy();
    await broker.close();
  });

  test('the connection attempts of an address are limited', async () => {
    const { broker, url } = await openBroker(cloud, { limits: { connectsPerMinute: 3 } });
    for (let tries = 0; tries < 3; tries++) (await rawSocket(url)).destroy();
    await once(await rawSocket(url), 'close');
    await broker.close();
  });

  test('random bytes do no harm', async () => {
    const { broker, url } = await openBroker(cloud);
    const hello = Buffer.from([0x10, 0x0f, 0, 4, ...Buffer.from('MQTT'), 4, 2, 0, 60, 0, 3, ...Buffer.from('abc')]);
    for (let round = 0; round < 300; round++) {
      const socket = await rawSocket(url);
      const kind = (round % 16) << 4;
      if (round % 3 === 0) socket.write(hello);
      socket.end(Buffer.concat([Buffer.from([kind | (round % 7), round % 120]), randomBytes(round % 200)]));
      socket.resume();
      await once(socket, 'close');
    }
    await speakThrough(url);
    await broker.close();
  });

  test('closing does not wait for connected clients', async () => {
    const { broker, url } = await openBroker(cloud, { websocketPort: 0 });
    await rawSocket(url);
    await rawSocket(broker.urls.websocket!);
    await connectGateway(broker.urls.websocket!, gateway, cloud.clock.now());
    const stopwatch = startStopwatch();
    await broker.close();
    assert.ok(stopwatch.ms() < 1000);
  });
});
