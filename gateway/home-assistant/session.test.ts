import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { derKinds } from '#contract/gateway/reading.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { selfSigned } from '#test/self-signed.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { publishAndWait } from '../links/mqtt/broker-session.ts';
import { startHomeBroker, startTrial, trialDevice } from './testing/trial.ts';

async function start(t: TestContext, home: Parameters<typeof startTrial>[0]) {
  const dataDir = temporaryFolder(t);
  const inverter = trialDevice();
  inverter.tell('pv', { W: -3000 });
  const bridge = await startTrial(home, { devices: [inverter], dataDir });
  t.after(() => bridge.close());
  return { bridge, inverter };
}

async function serve(t: TestContext, onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  const port = await listenOnLoopback(server);
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `mqtt://127.0.0.1:${port}`;
}

test('user and password of the address are used; a wrong one is logged once, and appears nowhere', async (t) => {
  const logins: string[] = [];
  const broker = await startHomeBroker({
    authenticate(_, username, password, done) {
      logins.push(`${username} ${password?.toString()}`);
      const isRight = password?.toString() === 'ada/lovelace';
      done(isRight ? null : Object.assign(new Error('no'), { returnCode: 4 as const }), isRight);
    },
  });
  t.after(() => broker.close());
  const wrong = await start(t, broker.url.replace('//', '//home:babbage@'));
  await until(
    () => logins.length,
    (count) => count > 3,
  );
  assert.equal(wrong.bridge.logged('the broker refused the login'), 1);
  assert.equal(wrong.bridge.logged('babbage'), 0);
  await wrong.bridge.close();

  await start(t, broker.url.replace('//', '//home:ada%2Flovelace@'));
  await until(
    () => broker.published.length,
    (count) => count > 0,
  );
  assert.equal(logins.at(-1), 'home ada/lovelace');
});

test('a broker with a certificate is used only when the certificate is valid', async (t) => {
  const { cert, key } = selfSigned();
  const broker = await startMqttBroker({ tls: { cert, key } });
  t.after(broker.close);
  const url = `mqtts://localhost:${broker.port}`;
  for (const { ca, says } of [
    { ca: undefined, says: 'could not be reached' },
    { ca: cert, says: 'connected to the broker' },
  ]) {
    const { bridge } = await start(t, { url, prefix: 'homeassistant', ca });
    await until(
      () => bridge.logged('could not') + bridge.logged('connected to'),
      (count) => count > 0,
    );
    assert.equal(bridge.logged(says), 1);
    await bridge.close();
  }
});

test('a broker that refuses the subscription to the start of Home Assistant still receives everything', async (t) => {
  const broker = await startHomeBroker({ authorizeSubscribe: (_client, _subscription, done) => done(null, null) });
  t.after(() => broker.close());
  const { bridge } = await start(t, broker.url);
  await until(() => broker.published.some(({ topic }) => topic.endsWith('/pv')), Boolean);
  assert.equal(bridge.logged('refused a subscription'), 1);
});

test('a broker that never answers delays neither the next update nor closing', async (t) => {
  const url = await serve(t, () => {});
  const { bridge } = await start(t, url);
  await sleep(200);
  const stopwatch = startStopwatch();
  await bridge.close();
  assert.ok(stopwatch.ms() < 1000);
});

const connack = Buffer.from([0x20, 2, 0, 0]);

test('a broker that acknowledges nothing receives one message, however many readings arrive', async (t) => {
  let bytes = 0;
  let connections = 0;
  let cut = (): void => {};
  const url = await serve(t, (socket) => {
    connections++;
    bytes = 0;
    cut = () => void socket.destroy();
    socket.once('data', () => {
      socket.write(connack);
      socket.on('data', ({ length }) => {
        bytes += length;
      });
    });
  });
  const { bridge, inverter } = await start(t, url);
  const isTold = (count: number): boolean => count > 100;
  await until(() => bytes, isTold);
  await sleep(100);
  const before = bytes;
  for (let W = 1; W <= 20; W++) {
    inverter.tell('pv', { W: -W });
    await sleep(20);
  }
  assert.equal(bytes, before);

  cut(); // while that message waits for its acknowledgement
  await until(
    () => connections,
    (count) => count === 2,
  );
  await until(() => bytes, isTold, 3000);
  assert.equal(bridge.logged('failed'), 0);
  const stopwatch = startStopwatch();
  await bridge.close();
  assert.ok(stopwatch.ms() < 3000);
});

test('a broker that has stopped reading does not delay closing', async (t) => {
  const url = await serve(t, (socket) => {
    socket.once('data', () => {
      socket.write(connack);
      socket.pause();
    });
  });
  const { bridge } = await start(t, url);
  await until(
    () => bridge.logged('connected to the broker'),
    (count) => count === 1,
  );
  await sleep(100);
  const stopwatch = startStopwatch();
  await bridge.close();
  assert.ok(stopwatch.ms() < 3000);
});

test('a broker that stops reading during many messages neither fills the memory nor delays closing', async (t) => {
  const broker = await startHomeBroker();
  t.after(() => broker.close());
  let stop = (): void => {};
  const url = await serve(t, (socket) => {
    const onward = connect(broker.port, '127.0.0.1');
    socket.pipe(onward.on('error', () => {})).pipe(socket);
    stop = () => void socket.unpipe(onward).pause();
  });
  const devices = Array.from({ length: 50 }, (_, n) => trialDevice(`INV-${n}`));
  const fields = telemetryFields.map(({ name }) => name);
  const tellAll = (value: number): void => {
    const values = Object.fromEntries(fields.map((name) => [name, value]));
    for (const device of devices) for (const kind of derKinds) device.tell(kind, values);
  };
  tellAll(1);
  const dataDir = temporaryFolder(t);
  const bridge = await startTrial(url, { devices, dataDir });
  t.after(() => bridge.close());
  await until(() => broker.published.some(({ topic }) => topic.endsWith('/INV-49/v2x_charger')), Boolean);

  stop();
  let looks = 0;
  const [first] = devices as [(typeof devices)[0]];
  const { snapshot } = first;
  first.snapshot = () => {
    looks++;
    return snapshot();
  };
  let value = 2;
  const telling = setInterval(() => tellAll(value++), 10);
  t.after(() => clearInterval(telling));
  const looksInAWhile = async (): Promise<number> => {
    const before = looks;
    await sleep(300);
    return looks - before;
  };
  await until(looksInAWhile, (count) => count === 0); // once the buffers of the sockets are full
  const stopwatch = startStopwatch();
  await bridge.close();
  assert.ok(stopwatch.ms() < 3000);
});

test('a connection with an endless packet is closed', async (t) => {
  let isLeft = false;
  const url = await serve(t, (socket) => {
    socket.once('close', () => {
      isLeft = true;
    });
    socket.once('data', () =>
      socket.write(
        Buffer.concat([Buffer.from([0x20, 2, 0, 0, 0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(1_000_000)]),
      ),
    );
  });
  await start(t, url);
  await until(() => isLeft, Boolean);
});

test('a broker that takes no message within ten seconds is disconnected', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ended = Promise.withResolvers<void>();
  const silent = {
    publish: () => {},
    ended: ended.promise,
    end: async () => ended.resolve(),
  };
  const refused = assert.rejects(publishAndWait(silent, 'a/topic', 'text', 1), /did not take a message within 10 s/);
  t.mock.timers.tick(10_000);
  await refused;
  await ended.promise;
});
