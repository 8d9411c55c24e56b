import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import { commandAckTopic, logTopic, stateTopic, telemetryTopic } from '#contract/topics.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';
import { connectGateway, ended, openBroker } from '../testing/trial.ts';

describe('publishing to the embedded broker', async () => {
  let store: () => Promise<void> = async () => {};
  const home = await openBrokerHome({ message: () => store(), limits: { unstored: 50 } });
  const { cloud, trial, gateway } = home;
  afterEach(async () => {
    await home.sendAway();
    trial.messages.length = 0;
    store = async () => {};
  });
  after(home.close);

  const enter = async (options = {}): Promise<MqttClient> => {
    const client = await home.enter(gateway, options);
    return client.on('error', () => {});
  };
  const state = () => stateTopic(gateway.serial);

  test('messages on known topics reach the platform', async () => {
    const { serial } = gateway;
    const client = await enter();
    const topics = [
      telemetryTopic(serial, 'INV-1', 'pv'),
      stateTopic(serial),
      logTopic(serial),
      commandAckTopic(serial, 'pv', 'INV-1'),
    ];
    for (const topic of topics) await client.publishAsync(topic, '{"W":-5000}', { qos: 1 });
    await client.publishAsync(`gateways/${serial}/something/new`, '{}', { qos: 1 });
    assert.deepEqual(
      trial.messages.map(({ topic }) => topic),
      topics,
    );
    const [{ payload, ...message }] = trial.messages as [(typeof trial.messages)[0]];
    assert.equal(Buffer.from(payload).toString(), '{"W":-5000}');
    assert.deepEqual(message, { topic: topics[0] });
  });

  test('a message is acknowledged once it is stored, not before', async () => {
    const stored = Promise.withResolvers<void>();
    store = () => stored.promise;
    const client = await enter();
    let isAcknowledged = false;
    const acknowledged = client.publishAsync(state(), '{}', { qos: 1 }).then(() => {
      isAcknowledged = true;
    });
    await until(() => trial.messages.length === 1);
    await delay(200);
    assert.equal(isAcknowledged, false);
    stored.resolve();
    await acknowledged;
  });

  test('messages are taken in while others wait to be stored', async () => {
    const stored = Promise.withResolvers<void>();
    store = () => stored.promise;
    const client = await enter();
    const acknowledged = Array.from({ length: 20 }, () => client.publishAsync(state(), '{}', { qos: 1 }));
    await until(() => trial.messages.length === 20);
    stored.resolve();
    await Promise.all(acknowledged);
  });

  test('a message that cannot be stored is not acknowledged, and the connection ends', async () => {
    store = () => Promise.reject(new Error('no room'));
    const client = await enter();
    let isAcknowledged = false;
    client.publish(state(), '{}', { qos: 1 }, (error) => {
      isAcknowledged = !error;
    });
    await ended(client);
    assert.equal(isAcknowledged, false);
    assert.equal(trial.messages.length, 1);
  });

  test('a message of quality of service 2 is stored before it is received', async () => {
    const stored = Promise.withResolvers<void>();
    store = () => stored.promise;
    const client = await enter();
    let received = 0;
    client.on('packetreceive', ({ cmd }) => {
      if (cmd === 'pubrec') received++;
    });
    const done = client.publishAsync(state(), '{}', { qos: 2 });
    await until(() => trial.messages.length === 1);
    await delay(100);
    assert.equal(received, 0);
    stored.resolve();
    await done;
    assert.equal(trial.messages.length, 1);
  });

  test('publishing elsewhere ends the connection', async () => {
    const { serial } = gateway;
    for (const topic of [
      'gateways/other/state/json/v1',
      `control/${serial}/pv/INV-1/ems/commands`,
      `gateways/${serial}/telemetry/ack`,
      'orgs/org-1/x',
      '$SYS/x',
      `gateways/${serial}//state`,
      `gateways/${serial}/a\0b`,
      `gateways/${serial}/${'x'.repeat(65_000)}`,
      `gateways/${serial}/${'x/'.repeat(200)}x`,
    ]) {
      const client = await enter();
      client.publish(topic, 'x', { qos: 1 });
      await ended(client);
    }
    assert.deepEqual(trial.messages, []);
  });

  test('nothing is retained', async () => {
    const client = await enter();
    await client.publishAsync(commandAckTopic(gateway.serial, 'pv', 'INV-1'), '{}', { qos: 1, retain: true });
    assert.equal(trial.messages.length, 1);
    const heard: string[] = [];
    client.on('message', (topic) => heard.push(topic));
    await client.subscribeAsync(`control/${gateway.serial}/pv/#`, { qos: 1 });
    await client.publishAsync(state(), '{}', { qos: 1 });
    assert.deepEqual(heard, []);
  });

  test('a last will reaches the platform', async () => {
    const client = await enter({
      will: { topic: state(), payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
    });
    client.stream.destroy();
    await until(() => trial.messages.length === 1);
    const [{ payload, ...message }] = trial.messages as [(typeof trial.messages)[0]];
    assert.equal(Buffer.from(payload).toString(), '{"online":false}');
    assert.deepEqual(message, { topic: state() });
  });

  test('a will of a client that says goodbye is dropped', async () => {
    const client = await enter({ will: { topic: state(), payload: Buffer.from('{}'), qos: 1, retain: false } });
    await client.endAsync();
    const next = await enter();
    await next.publishAsync(state(), 'last', { qos: 1 });
    assert.equal(trial.messages.length, 1);
  });

  test('a will where the client may not publish is refused at login', async () => {
    for (const topic of ['gateways/other/state/json/v1', `control/${gateway.serial}/pv/INV-1/ems/commands`]) {
      await assert.rejects(enter({ will: { topic, payload: Buffer.from('{}'), qos: 1, retain: true } }), { code: 5 });
    }
  });

  test('a packet over the limit ends the connection, one below does not', async () => {
    const client = await enter();
    await client.publishAsync(state(), Buffer.alloc(250 * 1024), { qos: 1 });
    client.publish(state(), Buffer.alloc(257 * 1024), { qos: 1 });
    await ended(client);
    assert.equal(trial.messages.length, 1);
  });

  test('a connection is not read while too many of its messages are not stored', async () => {
    const stored = Promise.withResolvers<void>();
    store = () => stored.promise;
    const client = await enter();
    for (let sent = 0; sent < 200; sent++) {
      client.publish(state(), '{}', { qos: 1 });
      await delay(2);
    }
    assert.ok(trial.messages.length < 100, `${trial.messages.length} messages were read`);
    stored.resolve();
    await until(() => trial.messages.length === 200);
  });

  test('a client that sends too fast is slowed down, and loses nothing', async () => {
    const slow = await openBroker(cloud, { limits: { messagesPerSecond: 100 } });
    const client = await connectGateway(slow.url, gateway, cloud.clock.now());
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => client.publishAsync(state(), '{}', { qos: 1 })));
    const took = performance.now() - startedAt;
    assert.ok(took > 900 && took < 3000, `took ${took} ms`);
    assert.equal(slow.messages.length, 200);
    await client.endAsync(true);
    await slow.broker.close();
  });

  describe('with connections of one gateway side by side', () => {
    const clientIds = [1, 2, 3, 4].map((n) => `${gateway.serial}-${n}`);
    const publishMany = (client: MqttClient, count: number): Promise<unknown> =>
      Promise.all(Array.from({ length: count }, () => client.publishAsync(state(), '{}', { qos: 1 })));

    test('four connections publish no faster than one', async (t) => {
      const { url, broker, messages } = await openBroker(cloud, { limits: { messagesPerSecond: 200 } });
      t.after(() => broker.close());
      const connecting = clientIds.map((clientId) => connectGateway(url, gateway, cloud.clock.now(), { clientId }));
      const connected = await Promise.all(connecting);
      const startedAt = performance.now();
      await Promise.all(connected.map((client) => publishMany(client, 100)));
      const took = performance.now() - startedAt;
      assert.ok(took > 900, `400 messages at 200 a second took ${took} ms`);
      assert.equal(messages.length, 400);
      await Promise.all(connected.map((client) => client.endAsync(true)));
    });

    test('reconnecting grants no second burst', async (t) => {
      const { url, broker } = await openBroker(cloud, { limits: { messagesPerSecond: 100 } });
      t.after(() => broker.close());
      const startedAt = performance.now();
      for (const clientId of clientIds.slice(0, 3)) {
        const client = await connectGateway(url, gateway, cloud.clock.now(), { clientId });
        await publishMany(client, 70);
        await client.endAsync(true);
      }
      const took = performance.now() - startedAt;
      assert.ok(took > 900, `210 messages at 100 a second took ${took} ms`);
    });

    test('all connections together wait for the store with no more messages than one', async () => {
      const stored = Promise.withResolvers<void>();
      store = () => stored.promise;
      const connected = await Promise.all(clientIds.map((clientId) => enter({ clientId })));
      for (let sent = 0; sent < 50; sent++) {
        for (const client of connected) client.publish(state(), '{}', { qos: 1 });
        await delay(2);
      }
      assert.ok(trial.messages.length < 100, `${trial.messages.length} messages were read`);
      stored.resolve();
      await until(() => trial.messages.length === 200);
    });
  });

  test('closing the broker does not report gateways as disconnected', async () => {
    const closing = await openBroker(cloud);
    const will = { topic: state(), payload: Buffer.from('{}'), qos: 1, retain: false } as const;
    const client = await connectGateway(closing.url, gateway, cloud.clock.now(), { will });
    client.on('error', () => {});
    await until(() => closing.presence.length === 1);
    await closing.broker.close();
    await ended(client);
    assert.deepEqual(closing.messages, []);
    assert.equal(closing.presence.length, 1);
  });
});
