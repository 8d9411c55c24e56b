import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as openSocket, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { generate, writeToStream } from 'mqtt-packet';
import { commandTopic, stateTopic } from '#contract/topics.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';
import { connectMember, passwordOf } from '../testing/trial.ts';

writeToStream.cacheNumbers = false;

/** Text with its length in front (MQTT 3.1.1, 1.5.3). */
const field = (text: string): Buffer => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]);
const packet = (first: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
  return Buffer.concat([Buffer.from([first, ...length]), body]);
};
const connack = (code: number): string => `200200${String(code).padStart(2, '0')}`;

describe('MQTT 3.1.1 at the embedded broker', async () => {
  const { cloud, trial, owner, orgId, gateway, enter, close } = await openBrokerHome();
  const { serial } = gateway;
  after(close);

  async function open(): Promise<{ socket: Socket; received(): string; isClosed(): boolean }> {
    const socket = openSocket({ port: Number(new URL(trial.url).port), host: '127.0.0.1', noDelay: true });
    await once(
      socket.on('error', () => {}),
      'connect',
    );
    let received = '';
    let isClosed = false;
    socket.on('data', (data) => {
      received += data.toString('hex');
    });
    socket.on('close', () => {
      isClosed = true;
    });
    return { socket, received: () => received, isClosed: () => isClosed };
  }

  async function answerTo(bytes: Buffer, pieceBytes = bytes.length): Promise<string> {
    const { socket, received, isClosed } = await open();
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      socket.write(bytes.subarray(at, at + pieceBytes));
      await new Promise(setImmediate);
    }
    await until(isClosed);
    return received();
  }

  const usernameAndClean = 0x82;
  const connectOf = ({ name = 'MQTT', level = 4, flags = usernameAndClean, clientId = serial } = {}): Buffer =>
    packet(0x10, field(name), Buffer.from([level, flags, 0, 60]), field(clientId), field(serial));

  for (const [says, changes] of [
    ['0', { level: 0 }],
    ['3', { level: 3 }],
    ['3 of MQTT 3.1', { level: 3, name: 'MQIsdp' }],
    ['5', { level: 5 }],
    ['6', { level: 6 }],
    ['4 of a bridge', { level: 0x84 }],
  ] as const) {
    test(`protocol level ${says} is refused with code 1`, async () => {
      assert.equal(await answerTo(connectOf(changes)), connack(1));
      assert.equal(await answerTo(connectOf(changes), 1), connack(1), 'in pieces of a byte');
    });
  }

  test('an empty client id without a clean session is refused with code 2, before the login is checked', async () => {
    assert.equal(await answerTo(connectOf({ clientId: '', flags: 0x80 })), connack(2));
    await assert.rejects(connectMember(trial.url, owner, { clientId: '', clean: false }));
  });

  test('a member without a client id gets one for each connection', async () => {
    const clients = [1, 2].map(() => connectMember(trial.url, owner, { clientId: '', clean: true }));
    for (const client of await Promise.all(clients)) {
      assert.ok(client.connected);
      await client.endAsync();
    }
  });

  for (const [says, flags] of [
    ['a will of quality of service 3', 0x9e],
    ['a password without a user name', 0x42],
  ] as const) {
    test(`${says} closes the connection without an answer`, async () => {
      const more = [field(stateTopic(serial)), field('{}'), field(serial)];
      const parts = [
        field('MQTT'),
        Buffer.from([4, flags, 0, 60]),
        field(serial),
        ...(flags === 0x42 ? [field('x')] : more),
      ];
      assert.equal(await answerTo(packet(0x10, ...parts)), '');
    });
  }

  const id0 = Buffer.from([0, 0]);
  const id1 = Buffer.from([0, 1]);
  const topic = field(stateTopic(serial));
  const filter = field(`control/${serial}/#`);
  for (const [says, bytes] of [
    ['UNSUBSCRIBE without a filter', packet(0xa2, id1)],
    ['SUBSCRIBE without a filter', packet(0x82, id1)],
    ['SUBSCRIBE with packet id 0', packet(0x82, id0, filter, Buffer.from([0]))],
    ['SUBSCRIBE with 1001 filters', packet(0x82, id1, ...Array(1001).fill(Buffer.from([0, 1, 0x61, 0])))],
    ['UNSUBSCRIBE with 1001 filters', packet(0xa2, id1, ...Array(1001).fill(field('a')))],
    ['UNSUBSCRIBE with packet id 0', packet(0xa2, id0, filter)],
    ['PUBLISH of quality of service 1 with packet id 0', packet(0x32, topic, id0, Buffer.from('{}'))],
    ['PUBLISH of quality of service 2 with packet id 0', packet(0x34, topic, id0, Buffer.from('{}'))],
    ['DISCONNECT', packet(0xe0)],
    ['PUBLISH of quality of service 0 that is marked as a duplicate', packet(0x38, topic, Buffer.from('{}'))],
  ] as const) {
    test(`${says} closes the connection without an answer, and earlier packets are processed`, async () => {
      const { socket, received, isClosed } = await open();
      const password = Buffer.from(await passwordOf(gateway, cloud.clock.now()));
      const login = generate({
        cmd: 'connect',
        clientId: serial,
        username: serial,
        password,
        keepalive: 60,
        clean: true,
      });
      trial.messages.length = 0;
      socket.write(login);
      await until(() => received() === connack(0));
      socket.write(Buffer.concat([packet(0x32, topic, id1, Buffer.from('1')), bytes, packet(0x32, topic, id1)]));
      await until(isClosed);
      assert.ok([connack(0), `${connack(0)}40020001`].includes(received()), received());
      assert.equal(trial.messages.map(({ payload }) => Buffer.from(payload).toString()).join(), '1');
    });
  }

  test('the quality of service that is granted is the one that is delivered', async () => {
    const asGateway = await enter(gateway, { clientId: `${serial}-qos` });
    const asMember = await connectMember(trial.url, owner);
    for (const [client, own, sent] of [
      [asGateway, `control/${serial}/battery/#`, commandTopic(serial, 'battery', 'INV-1')],
      [asMember, `orgs/${orgId}/#`, `orgs/${orgId}/x`],
    ] as const) {
      for (const qos of [0, 1, 2] as const) {
        const [granted] = await client.subscribeAsync(own, { qos });
        const delivered = new Promise((resolve) => client.once('message', (_topic, _payload, { qos }) => resolve(qos)));
        trial.broker.publish(sent, '{}');
        assert.equal(await delivered, granted!.qos, `asked for ${qos}`);
      }
    }
    await asMember.endAsync();
  });
});
