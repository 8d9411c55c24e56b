import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { logTopic, stateTopic, telemetryAckTopic, telemetryTopic } from '#contract/topics.ts';
import { freePort } from '#test/free-port.ts';
import { selfSigned } from '#test/self-signed.ts';
import { until } from '#test/until.ts';
import { createTwoClocks, readingAt } from './outbox/testing/trial.ts';
import { openTrialUplink, serial, startBroker } from './testing/trial.ts';

const at = Date.parse('2026-06-01T12:00:00Z');

/** When the readings among these messages were taken. */
const timesIn = (messages: readonly { topic: string; text: string }[]): Set<number> =>
  new Set(messages.filter(({ topic }) => topic.includes('/telemetry/')).map(({ text }) => JSON.parse(text).timestamp));

test('a reading is published on its topic and removed when the platform acknowledges it', async (t) => {
  const broker = await startBroker();
  const { uplink } = await openTrialUplink(t);
  uplink.setBrokers(broker.url);
  uplink.start();
  uplink.take('INV:1', 'pv', readingAt(at));
  await until(() => broker.samples().length === 1 && uplink.status().waiting === 0);
  const { topic, text } = broker.messages.find((message) => message.topic.includes('/telemetry/'))!;
  assert.equal(topic, telemetryTopic(serial, 'INV:1', 'pv'));
  assert.deepEqual(JSON.parse(text), { ...readingAt(at), seq: broker.samples()[0] });
  await uplink.close();
  await broker.close();
});

test('the gateway logs in with its serial and a fresh token, publishes its state and signs off', async (t) => {
  const broker = await startBroker();
  let tokens = 0;
  const { uplink } = await openTrialUplink(t, { brokerToken: async () => `token-${++tokens}` });
  uplink.setBrokers(broker.url);
  uplink.start();
  const states = () =>
    broker.messages.filter(({ topic }) => topic === stateTopic(serial)).map(({ text }) => JSON.parse(text));
  await until(() => states().length === 1);
  broker.cut();
  await until(() => states().filter(({ online }) => online).length === 2);
  assert.deepEqual(
    broker.logins.map(({ clientId, username, password }) => ({ clientId, username, password })),
    [1, 2].map((token) => ({ clientId: serial, username: serial, password: `token-${token}` })),
  );
  const state = {
    serial,
    version: '1.2.3',
    platform: 'test',
    online: true,
    devices: [{ sn: 'INV-1', connected: true, ders: ['pv'] }],
    timestamp: at,
  };
  assert.deepEqual(states()[0], state);
  assert.deepEqual(JSON.parse(broker.logins[0]!.will!), { ...state, online: false });
  const online = (): number => states().filter(({ online }) => online).length;
  assert.equal(online(), 2);
  uplink.stateChanged();
  uplink.stateChanged();
  await until(() => online() === 3);
  await uplink.close();
  assert.equal(states().at(-1).online, false);
  await broker.close();
});

test('a user and password in the address replace serial and token and are never logged', async (t) => {
  const broker = await startBroker();
  const { uplink, lines } = await openTrialUplink(t, { brokerToken: async () => 'canary-token' });
  uplink.setBrokers(
    `mqtt://user:canary-nowhere@127.0.0.1:${await freePort()}`,
    broker.url.replace('//', '//ada:canary%2Fpw@'),
  );
  uplink.start();
  await until(() => uplink.isConnected());
  assert.deepEqual(broker.logins[0]?.username, 'ada');
  assert.deepEqual(broker.logins[0]?.password, 'canary/pw');
  assert.equal(uplink.status().broker, broker.url);
  broker.cut();
  await until(() => broker.logins.length === 2);
  await uplink.close();
  assert.ok(lines.length > 0);
  assert.ok(!lines.join().includes('canary'));
  await broker.close();
});

test('the fallback broker is used while the first is unreachable, and no sample is lost', async (t) => {
  const fallback = await startBroker();
  const { uplink } = await openTrialUplink(t, { limits: { fallbackMs: 150 } });
  const nobody = `mqtt://127.0.0.1:${await freePort()}`;
  uplink.setBrokers(nobody, fallback.url);
  uplink.start();
  for (let second = 0; second < 10; second++) uplink.take('INV-1', 'pv', readingAt(at + second));
  await until(() => new Set(fallback.samples()).size === 10);

  const first = await startBroker();
  uplink.setBrokers(first.url, fallback.url);
  await until(() => uplink.isConnected() && uplink.status().broker === first.url);
  await first.close();
  await until(() => uplink.isConnected() && uplink.status().broker === fallback.url);
  uplink.take('INV-1', 'pv', readingAt(at + 10));
  await until(() => new Set(fallback.samples()).size === 11 && uplink.status().waiting === 0);
  const logins = fallback.logins.length;
  await until(() => fallback.logins.length > logins); // the first choice was tried once more
  await uplink.close();
  await fallback.close();
});

test('samples in flight to one broker are sent to the next', async (t) => {
  const silent = await startBroker({ acknowledges: false });
  const broker = await startBroker();
  const { uplink } = await openTrialUplink(t);
  uplink.setBrokers(silent.url);
  uplink.start();
  for (let second = 0; second < 50; second++) uplink.take('INV-1', 'pv', readingAt(at + second));
  await until(() => silent.samples().length === 50);
  assert.equal(uplink.status().waiting, 50, 'the acknowledgement of a broker is not that of the platform');
  uplink.setBrokers(broker.url);
  await until(() => uplink.status().waiting === 0);
  assert.deepEqual(new Set(broker.samples()), new Set(silent.samples()));
  await uplink.close();
  await silent.close();
  await broker.close();
});

test('acknowledgements of the broker suffice when the configuration says so', async (t) => {
  const broker = await startBroker({ acknowledges: false });
  const { uplink } = await openTrialUplink(t, { trust: 'broker' });
  uplink.setBrokers(broker.url);
  uplink.start();
  for (let second = 0; second < 50; second++) uplink.take('INV-1', 'pv', readingAt(at + second));
  await until(() => broker.samples().length === 50 && uplink.status().waiting === 0);
  await uplink.close();
  await broker.close();
});

test('an unacknowledged sample is sent again and logged once', async (t) => {
  const broker = await startBroker({ acknowledges: false });
  const { uplink, lines } = await openTrialUplink(t, { limits: { ackTimeoutMs: 100 } });
  uplink.setBrokers(broker.url);
  uplink.start();
  uplink.take('INV-1', 'pv', readingAt(at));
  await until(() => broker.samples().length >= 2);
  assert.equal(lines.filter((line) => line.includes('not acknowledged')).length, 1);
  broker.publish({ topic: telemetryAckTopic(serial), payload: 'not json' });
  broker.publish({ topic: telemetryAckTopic(serial), payload: '{"acked": [[1, "2"]]}' });
  await until(() => lines.filter((line) => line.includes('ignored an invalid acknowledgement')).length === 2);
  assert.equal(uplink.status().waiting, 1);
  broker.acknowledge(broker.samples()[0]!);
  await until(() => uplink.status().waiting === 0);
  await uplink.close();
  await broker.close();
});

test('the backlog is sent oldest first, alongside live samples', async (t) => {
  const broker = await startBroker();
  const { uplink } = await openTrialUplink(t, { limits: { maxPerSecond: 400, minPerSecond: 400 } });
  for (let second = 0; second < 300; second++) uplink.take('INV-1', 'pv', readingAt(at + second));
  await until(() => uplink.status().waiting === 300 && uplink.status().bytes > 0);
  uplink.setBrokers(broker.url);
  uplink.start();
  await until(() => broker.samples().length > 20);
  uplink.take('INV-1', 'pv', readingAt(at + 1000));
  await until(() => broker.samples().length === 301);
  const seqs = broker.samples();
  const live = Math.max(...seqs);
  assert.ok(seqs.indexOf(live) < 250, 'live goes first');
  const backlog = seqs.filter((seq) => seq !== live);
  assert.deepEqual(
    backlog,
    backlog.toSorted((a, b) => a - b),
  );
  await uplink.close();
  await broker.close();
});

test('nothing is sent while the clock is implausible', async (t) => {
  const broker = await startBroker();
  const clocks = createTwoClocks(3000);
  const { uplink } = await openTrialUplink(t, clocks);
  uplink.setBrokers(broker.url);
  uplink.start();
  uplink.take('INV-1', 'pv', readingAt(3000));
  await sleep(300);
  assert.deepEqual(broker.logins, []);
  clocks.advance(60_000);
  clocks.set(at);
  uplink.take('INV-1', 'pv', readingAt(at));
  await until(() => broker.samples().length === 2);
  assert.deepEqual(timesIn(broker.messages), new Set([at - 60_000, at]));
  await uplink.close();
  await broker.close();
});

test('an unconfirmed clock is enough to connect, and samples are sent once it is confirmed', async (t) => {
  const broker = await startBroker();
  const clocks = createTwoClocks(at - 3_600_000);
  let isTimeKnown = false;
  const { uplink } = await openTrialUplink(t, { ...clocks, isTimeKnown: () => isTimeKnown });
  uplink.setBrokers(broker.url);
  uplink.start();
  uplink.take('INV-1', 'pv', readingAt(clocks.clock.now()));
  await until(() => uplink.isConnected() && uplink.status().bytes > 0);
  clocks.advance(60_000);
  clocks.set(at);
  isTimeKnown = true;
  uplink.take('INV-1', 'pv', readingAt(at));
  await until(() => broker.samples().length === 2);
  assert.deepEqual(timesIn(broker.messages), new Set([at - 60_000, at]));
  await uplink.close();
  await broker.close();
});

test('commands are passed on with their retained flag', async (t) => {
  const broker = await startBroker();
  const heard: [topic: string, text: string, isRetained: boolean][] = [];
  const { uplink } = await openTrialUplink(t, {
    onCommand: (topic, payload, isRetained) => heard.push([topic, payload.toString(), isRetained]),
  });
  const topic = `control/${serial}/battery/INV-1/ems/commands`;
  broker.publish({ topic: `control/${serial}/pv/INV-1/ems/commands`, payload: 'old', retain: true });
  uplink.setBrokers(broker.url);
  uplink.start();
  await until(() => heard.length === 1);
  broker.publish({ topic, payload: '{"power_w":500}' });
  await until(() => heard.length === 2);
  assert.deepEqual(heard, [
    [`control/${serial}/pv/INV-1/ems/commands`, 'old', true],
    [topic, '{"power_w":500}', false],
  ]);
  assert.ok(uplink.publish(`control/${serial}/battery/INV-1/ems/acks`, { status: 'queued' }));
  await until(() => broker.messages.some(({ text }) => text === '{"status":"queued"}'));
  await uplink.close();
  assert.equal(uplink.publish('control', {}), false);
  await broker.close();
});

test('a broker with TLS is used only when its certificate is valid', async (t) => {
  const { cert, key } = selfSigned();
  const broker = await startBroker({ tls: { cert, key } });
  for (const { ca, url, isTaken } of [
    { ca: undefined, url: broker.url, isTaken: false },
    { ca: cert, url: broker.url.replace('localhost', '127.0.0.1'), isTaken: false },
    { ca: cert, url: broker.url, isTaken: true },
  ]) {
    const { uplink, lines } = await openTrialUplink(t, { ca });
    uplink.setBrokers(url);
    uplink.start();
    await until(() => uplink.isConnected() || lines.some((line) => line.includes('could not be reached')));
    assert.equal(uplink.isConnected(), isTaken);
    await uplink.close();
  }
  await broker.close();
});

for (const { form, topic } of [
  { form: 'later', topic: logTopic(serial) },
  { form: 'earlier', topic: logTopic(serial, 'earlier') },
] as const) {
  test(`the log is published on ${topic} in the ${form} form at the requested level`, async (t) => {
    const broker = await startBroker();
    const { uplink, logStream } = await openTrialUplink(t);
    uplink.setBrokers(broker.url);
    uplink.start();
    const lines = () =>
      broker.messages.filter((message) => message.topic === topic).map(({ text }) => JSON.parse(text));
    const say = (level: string, msg: string): void => logStream.write(`${JSON.stringify({ level, msg })}\n`);
    await until(() => uplink.isConnected());
    say('error', 'before');
    logStream.set({ enabled: true, level: 2, form });
    say('info', 'too little');
    say('warn', 'first');
    for (let line = 0; line < 600; line++) say('error', `line ${line}`);
    await until(() => lines().length >= 500);
    assert.equal(lines()[0].msg, 'first');
    await until(() => lines().some(({ msg, count }) => msg === 'log lines were dropped' && count === 101));
    logStream.set({ enabled: false, level: 4, form });
    const before = lines().length;
    say('error', 'after');
    await sleep(300);
    assert.equal(lines().length, before);
    await uplink.close();
    await broker.close();
  });
}

test('an invalid address is refused', async (t) => {
  const { uplink } = await openTrialUplink(t);
  for (const address of ['http://broker', 'mqtt://', 'not an address']) {
    assert.throws(() => uplink.setBrokers(address), /A broker address starts with/);
  }
  await uplink.close();
});
