import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { systemClock } from '#lib/clock.ts';
import { freePort } from '#test/free-port.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { type MqttBrokerOptions, startMqttBroker } from '#test/services/mqtt-broker.ts';
import { until } from '#test/until.ts';
import { ambibox } from '../../profiles/ambibox.ts';
import { LinkError } from '../link-error.ts';
import { type MqttLinkOptions, type MqttMessage, openMqttLink } from './link.ts';

const host = '127.0.0.1';

async function serve(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onSocket(socket);
  });
  const port = await listenOnLoopback(server);
  t.after(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return port;
}

/** A broker like those of devices. */
async function startBroker(t: TestContext, options: MqttBrokerOptions = {}) {
  const { aedes, port, close } = await startMqttBroker(options);
  t.after(close);
  const publish = (topic: string, payload: string, retain = false): Promise<void> =>
    new Promise((resolve, reject) => {
      const packet = { cmd: 'publish', topic, payload, retain, qos: 0, dup: false } as const;
      aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  return { aedes, port, close, publish };
}

async function openLink(t: TestContext, port: number, options: Partial<MqttLinkOptions> = {}) {
  const messages: MqttMessage[] = [];
  const losses: LinkError[] = [];
  const link = await openMqttLink({
    host,
    port,
    topics: ['device/evCharger/#'],
    onMessage: (message) => messages.push(message),
    onLost: (error) => losses.push(error),
    clock: systemClock,
    ...options,
  });
  t.after(() => link.close());
  return { link, messages, losses };
}

const text = ({ payload }: MqttMessage): string => new TextDecoder().decode(payload);

suite('a link to a broker', () => {
  test('distinguishes retained messages from live ones, even when the device publishes with retain', async (t) => {
    const broker = await startBroker(t);
    await broker.publish('device/evCharger/0/powerAc', '1000', true);
    const { messages } = await openLink(t, broker.port);
    await until(() => messages.length === 1);
    await broker.publish('device/evCharger/0/powerAc', '2000', true);
    await until(() => messages.length === 2);
    assert.deepEqual(
      messages.map((message) => [text(message), message.isRetained]),
      [
        ['1000', true],
        ['2000', false],
      ],
    );
  });

  test('reports once that the broker is down, and does not connect again by itself', async (t) => {
    const broker = await startBroker(t);
    const { losses } = await openLink(t, broker.port);
    await broker.close();
    await until(() => losses.length === 1);
    assert.match(losses[0]!.message, /No MQTT broker answers/);
    const again = await startBroker(t, { port: broker.port });
    await delay(100);
    assert.equal(again.aedes.connectedClients, 0);
    const { messages } = await openLink(t, broker.port);
    await again.publish('device/evCharger/0/soc', '50');
    await until(() => messages.length === 1);
    assert.equal(losses.length, 1);
  });

  test('publishes, and does not queue messages that cannot be delivered', async (t) => {
    const broker = await startBroker(t);
    const { link, messages, losses } = await openLink(t, broker.port);
    await link.publish('device/evCharger/0/wakeUp', 'true', { qos: 1 });
    await until(() => messages.length === 1);
    await broker.close();
    await until(() => losses.length === 1);
    for (const qos of [0, 1] as const) {
      await assert.rejects(link.publish('device/evCharger/0/wakeUp', 'late', { qos }), LinkError);
    }
    await startBroker(t, { port: broker.port });
    const next = await openLink(t, broker.port);
    await assert.rejects(link.publish('device/evCharger/0/wakeUp', 'late'), LinkError);
    await next.link.publish('device/evCharger/0/wakeUp', 'now');
    await until(() => next.messages.length === 1);
    assert.deepEqual(next.messages.map(text), ['now']);
  });

  test('does not send a message again that was in flight when the broker went down', async (t) => {
    const broker = await startBroker(t, { authorizePublish: () => {} }); // never acknowledges
    const { link } = await openLink(t, broker.port);
    const sent = assert.rejects(link.publish('device/evCharger/0/targetPower', '9000', { qos: 1 }), LinkError);
    await delay(50);
    await broker.close();
    await sent;
    await startBroker(t, { port: broker.port });
    const next = await openLink(t, broker.port);
    await next.link.publish('device/evCharger/0/targetPower', '0', { qos: 1 });
    await until(() => next.messages.length === 1);
    assert.deepEqual(next.messages.map(text), ['0']);
  });

  test('drops and counts messages above the rate limit', async (t) => {
    const broker = await startBroker(t);
    const { link, messages } = await openLink(t, broker.port, { messagesPerSecond: 20, clock: { now: () => 5000 } });
    await Promise.all(Array.from({ length: 100 }, (_, i) => broker.publish('device/evCharger/0/soc', String(i))));
    await until(() => messages.length + link.dropped() === 100);
    assert.equal(messages.length, 20);
  });

  test('ends when the broker sends an endless packet', async (t) => {
    const packet = Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(1_000_000)]);
    const port = await serve(t, (socket) => {
      socket.once('data', () => socket.write(Buffer.concat([Buffer.from([0x20, 2, 0, 0]), packet])));
    });
    await assert.rejects(openLink(t, port), /a packet of more than/);
  });

  test('disconnects when it is closed, which is not a loss', async (t) => {
    const broker = await startBroker(t);
    const { link, losses } = await openLink(t, broker.port);
    await link.close();
    await until(() => broker.aedes.connectedClients === 0);
    await delay(100);
    assert.equal(broker.aedes.connectedClients, 0);
    assert.deepEqual(losses, []);
  });
});

suite('a link that cannot be opened', () => {
  const password = 'correct-horse';

  async function refusal(t: TestContext, port: number): Promise<Error> {
    const failed = await openLink(t, port, { username: 'extapi', password }).then(
      () => assert.fail('it opened'),
      (error: Error) => error,
    );
    assert.ok(failed instanceof LinkError);
    assert.ok(!inspect(failed, { depth: 9, showHidden: true }).includes(password));
    return failed;
  }

  test('reports that no broker answers', async (t) => {
    const port = await freePort();
    assert.equal((await refusal(t, port)).message, `No MQTT broker answers at ${host}:${port}.`);
  });

  test('reports a wrong password', async (t) => {
    const { port } = await startBroker(t, {
      authenticate: (_client, _name, _password, done) =>
        done(Object.assign(new Error('no'), { returnCode: 4 as const }), null),
    });
    assert.match((await refusal(t, port)).message, /refuses the user name or password/);
  });

  test('reports a refused subscription', async (t) => {
    const { port } = await startBroker(t, { authorizeSubscribe: (_client, _subscription, done) => done(null, null) });
    assert.match((await refusal(t, port)).message, /refuses the subscription/);
  });

  for (const { says, answer } of [
    { says: 'hangs up', answer: (socket: Socket) => socket.destroy() },
    { says: 'speaks something else', answer: (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n') },
    { says: 'sends noise', answer: (socket: Socket) => socket.write(Buffer.alloc(4000, 0xf7)) },
  ])
    test(`reports when the other side ${says}`, async (t) => {
      const port = await serve(t, answer);
      assert.match((await refusal(t, port)).message, /No MQTT broker answers/);
    });
});

test('a charger behind a broker: retained values are not fresh, live ones are, silence makes them stale', async (t) => {
  const broker = await startBroker(t);
  await broker.publish('device/evCharger/0/powerAc', '7000', true);
  await broker.publish('device/evCharger/0/chargePowerMax', '11000', true);
  const listener = ambibox.listen();
  let now = 1_000_000;
  let taken = 0;
  const clock = { now: () => now };
  const onMessage = (message: MqttMessage): void => {
    listener.handle(message);
    taken++;
  };
  const open = () => openLink(t, broker.port, { topics: ambibox.subscribe, onMessage, clock });
  const { losses } = await open();
  await until(() => taken === 2);
  assert.equal(listener.read(now), undefined);

  await broker.publish('device/evCharger/0/powerAc', '7100', true);
  await until(() => taken === 3);
  assert.equal(listener.read(now)?.v2x_charger?.W, 7100);
  assert.deepEqual(listener.rated(), { rated_power_W: 11_000 });

  await broker.close();
  await until(() => losses.length === 1);
  now += ambibox.staleAfterMs + 1;
  assert.equal(listener.read(now), undefined);

  const again = await startBroker(t, { port: broker.port });
  await again.publish('device/evCharger/0/powerAc', '7100', true); // retained before the link was opened
  await open();
  await delay(50);
  assert.equal(listener.read(now), undefined);
  await again.publish('device/evCharger/0/powerAc', '6900');
  await until(() => listener.read(now)?.v2x_charger?.W === 6900);
  assert.equal(listener.at('v2x_charger', now), now);
});
