import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { after, afterEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { generate, type Packet, parser } from 'mqtt-packet';
import { stateTopic, telemetryTopic } from '#contract/topics.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';
import { passwordOf } from '../testing/trial.ts';

/** A gateway that writes raw bytes and records the responses. */
type RawGateway = { socket: Socket; heard: Packet[]; acknowledged(): number[] };

describe('the publish lane', async () => {
  let sockets: Socket[] = [];
  let store: () => Promise<void> = async () => {};
  const { cloud, trial, gateway, close } = await openBrokerHome({ message: () => store() });
  const isPresent = (): boolean => trial.presence.at(-1)?.[1] === true;
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await until(() => !isPresent());
    trial.messages.length = 0;
    store = async () => {};
  });
  after(close);

  async function enter(keepalive = 60): Promise<RawGateway> {
    const socket = openSocket({ port: Number(new URL(trial.url).port), host: '127.0.0.1', noDelay: true });
    sockets.push(socket.on('error', () => {}));
    await once(socket, 'connect');
    const heard: Packet[] = [];
    const packets = parser();
    packets.on('packet', (packet) => heard.push(packet));
    socket.on('data', (data) => packets.parse(data));
    const { serial } = gateway;
    const password = Buffer.from(await passwordOf(gateway, cloud.clock.now()));
    socket.write(generate({ cmd: 'connect', clientId: serial, username: serial, password, keepalive, clean: true }));
    await until(() => heard.length === 1 && isPresent());
    heard.length = 0;
    const acknowledged = () => heard.flatMap((packet) => (packet.cmd === 'puback' ? [packet.messageId!] : []));
    return { socket, heard, acknowledged };
  }

  const message = (messageId: number, changes: { topic?: string; qos?: 0 | 1 | 2; payload?: string } = {}): Buffer =>
    generate({
      cmd: 'publish',
      topic: stateTopic(gateway.serial),
      payload: `{"n":${messageId}}`,
      qos: 1,
      dup: false,
      retain: false,
      ...changes,
      messageId,
    });
  const bodies = (): string[] => trial.messages.map(({ payload }) => Buffer.from(payload).toString());
  const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  for (const step of [1, 2, 3, 7, 29, 64, 1000]) {
    test(`messages cut into pieces of ${step} bytes arrive whole, in order, and are acknowledged in order`, async () => {
      const { socket, acknowledged } = await enter();
      const all = Buffer.concat(numbered(12).map((id) => message(id)));
      for (let at = 0; at < all.length; at += step) {
        socket.write(all.subarray(at, at + step));
        await new Promise(setImmediate);
      }
      await until(() => acknowledged().length === 12);
      assert.deepEqual(
        bodies(),
        numbered(12).map((id) => `{"n":${id}}`),
      );
      assert.deepEqual(acknowledged(), numbered(12));
    });
  }

  test('packets of every kind keep their order', async () => {
    const { socket, heard } = await enter();
    const subscribe = generate({
      cmd: 'subscribe',
      messageId: 90,
      subscriptions: [{ topic: `control/${gateway.serial}/pv/#`, qos: 1 }],
    });
    const parts = [message(1), message(2, { qos: 0 }), message(3), subscribe, message(4), message(5, { qos: 2 })];
    socket.write(Buffer.concat(parts));
    await until(() => heard.length === 5);
    assert.deepEqual(
      bodies(),
      numbered(5).map((id) => `{"n":${id}}`),
    );
    assert.deepEqual(heard.map(({ cmd }) => cmd).sort(), ['puback', 'puback', 'puback', 'pubrec', 'suback']);
    socket.write(message(6));
    await until(() => heard.length === 6);
  });

  test('a long message is collected as well', async () => {
    const { socket, acknowledged } = await enter();
    const payload = 'x'.repeat(100_000);
    socket.write(Buffer.concat([message(1), message(2, { payload }), message(3)]));
    await until(() => acknowledged().length === 3);
    assert.deepEqual(
      bodies().map(({ length }) => length),
      [7, 100_000, 7],
    );
  });

  test('messages that become safe together are acknowledged in one write', async () => {
    const stored = Promise.withResolvers<void>();
    store = () => stored.promise;
    const { socket, acknowledged } = await enter();
    let writes = 0;
    socket.on('data', () => writes++);
    socket.write(Buffer.concat(numbered(50).map((id) => message(id))));
    await until(() => trial.messages.length === 50);
    assert.deepEqual(acknowledged(), []);
    stored.resolve();
    await until(() => acknowledged().length === 50);
    assert.equal(writes, 1);
  });

  test('a message that cannot be stored ends the connection without an acknowledgement, after an earlier one was acknowledged', async () => {
    let count = 0;
    store = async () => {
      if (++count === 2) throw new Error('no room');
    };
    const { socket, acknowledged } = await enter();
    socket.write(Buffer.concat([message(1), message(2)]));
    await once(socket, 'close');
    assert.ok(!acknowledged().includes(2));
  });

  for (const { says, packet } of [
    {
      says: 'the topic of another gateway',
      packet: () => message(1, { topic: telemetryTopic('ohm-other', 'x', 'pv') }),
    },
    { says: 'a topic that is not text', packet: () => withBadTopic(message(1)) },
    { says: 'a topic that is longer than its packet', packet: () => withLongTopic(message(1)) },
  ]) {
    test(`${says} ends the connection and reaches nobody`, async () => {
      const { socket } = await enter();
      socket.write(packet());
      await once(socket, 'close');
      assert.deepEqual(trial.messages, []);
    });
  }

  test('a publishing client need not send pings', async () => {
    const { socket, acknowledged } = await enter(1);
    for (let id = 1; id <= 6; id++) {
      socket.write(message(id));
      await delay(500);
    }
    assert.equal(acknowledged().length, 6);
    await once(socket, 'close', { signal: AbortSignal.timeout(4000) });
  });
});

const topicAt = 4; // kind, length of one byte, length of the topic of two

function withBadTopic(packet: Buffer): Buffer {
  packet[topicAt + 3] = 0xff;
  return packet;
}

function withLongTopic(packet: Buffer): Buffer {
  packet.writeUInt16BE(60_000, topicAt - 2);
  return packet;
}
