import assert from 'node:assert/strict';
import { after, afterEach, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import type { MqttClient } from 'mqtt';
import { logTopic } from '#contract/topics.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { amount } from '#test/amount.ts';
import { connectOnce } from '#test/cloud/gateway-client.ts';
import { type Rabbit, rabbitMissing, startRabbit } from '#test/services/rabbitmq.ts';
import { type Callout, startCallout, waysToBeAway } from '#test/services/rabbitmq-callout.ts';
import { connectGateway, startCrowd, startStuckProcess } from '#test/services/rabbitmq-clients.ts';
import { until } from '#test/until.ts';
import { deadQueue, ingestQueue } from './rabbitmq/ingest.ts';
import { createManagement } from './rabbitmq/management.ts';
import { createRabbitTransport, type RabbitTransport } from './rabbitmq.ts';
import type { Message } from './transport.ts';

const log = createLog({ level: 'silent', name: 'test' });
const textOf = ({ payload }: Pick<Message, 'payload'>) => Buffer.from(payload).toString();
const stateOf = (serial: string) => `gateways/${serial}/state/json/v1`;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

// The short tier tests one node, since each takes six seconds of a processor to start.
const nodes = amount(3) === 3 ? 3 : 1;

suite(`a RabbitMQ cluster of ${nodes}`, { skip: rabbitMissing() }, () => {
  let callout: Callout;
  let rabbit: Rabbit;
  const transports: RabbitTransport[] = [];
  const clients: MqttClient[] = [];

  before(async () => {
    callout = await startCallout();
    rabbit = await startRabbit({ nodes, authUrl: callout.url });
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
    await close();
  });
  after(async () => {
    await rabbit?.stop();
    await callout.close();
  });

  /** A process of the platform. */
  async function startTransport(store: (message: Message) => Promise<void> = async () => {}) {
    const { amqpUrls: urls, managementUrls } = rabbit;
    const transport = createRabbitTransport({ urls, managementUrls, log, clock: systemClock, poisonAfter: 2 });
    transports.push(transport);
    await transport.start({
      message: (message) => store(message).then(() => true),
      presence: () => assert.fail('RabbitMQ tells nothing of connections'),
    });
    return transport;
  }

  async function gateway(serial: string, node = 0): Promise<MqttClient> {
    const first = node % nodes;
    const urls = [...rabbit.mqttUrls.slice(first), ...rabbit.mqttUrls.slice(0, first)];
    const client = await connectGateway(serial, urls);
    clients.push(client);
    return client;
  }

  const twelveGateways = () => Promise.all(numbers(12).map((index) => gateway(`gw-crowd-${index}`, index)));

  const close = () => Promise.all(transports.splice(0).map((transport) => transport.close()));

  test('a message arrives with its topic and its bytes', async () => {
    const arrived: Message[] = [];
    await startTransport(async (message) => void arrived.push(message));
    const client = await gateway('gw-1');
    const topics = [
      'gateways/gw-1/devices/inv_1/ders/pv/telemetry/json/v1',
      stateOf('gw-1'),
      'gateways/gw-1/logs/raw',
      'control/gw-1/battery/bat_1/ems/acks',
    ];
    for (const topic of topics) await client.publishAsync(topic, Buffer.from([0, 255]), { qos: 1 });
    await until(() => arrived.length === topics.length);
    assert.deepEqual(arrived.map(({ topic }) => topic).toSorted(), topics.toSorted());
    for (const { payload } of arrived) assert.deepEqual([...payload], [0, 255]);
  });

  test('messages of the platform to gateways are not delivered back to it', async () => {
    const arrived: string[] = [];
    const transport = await startTransport(async ({ topic }) => void arrived.push(topic));
    transport.publish('gateways/gw-1/telemetry/ack', '{}');
    transport.publish('control/gw-1/battery/bat_1/ems/commands', '{}');
    await (await gateway('gw-1')).publishAsync(stateOf('gw-1'), '', { qos: 1 });
    await until(() => arrived.length > 0);
    assert.deepEqual(arrived, [stateOf('gw-1')]);
  });

  test('what a killed process had taken and not stored goes to another', async () => {
    const { amqpUrls: urls, managementUrls } = rabbit;
    const stuck = await startStuckProcess({ urls, managementUrls });
    const client = await gateway('gw-1');
    const sent = numbers(200).map((index) => `taken-${index}`);
    await Promise.all(sent.map((text) => client.publishAsync(stateOf('gw-1'), text, { qos: 1 })));
    await until(() => stuck.taken.length === sent.length);

    const stored: string[] = [];
    await startTransport(async (message) => void stored.push(textOf(message)));
    await sleep(300);
    assert.equal(stored.length, 0);
    await stuck.kill();
    await until(() => stored.length >= sent.length);
    assert.deepEqual(stored.toSorted(), sent.toSorted());
  });

  test('two processes share the work, and nothing stays behind', async () => {
    const [one, other]: [string[], string[]] = [[], []];
    const storeInBatches = (into: string[]) => async (message: Message) => {
      await sleep(20);
      into.push(textOf(message));
    };
    await startTransport(storeInBatches(one));
    await startTransport(storeInBatches(other));
    const gateways = await Promise.all(numbers(6).map((index) => gateway(`gw-${index}`, index)));
    const sent = gateways.flatMap((_, index) => numbers(800).map((count) => `${index}-${count}`));
    await Promise.all(
      sent.map((text) => gateways[Number(text[0])]!.publishAsync(stateOf(`gw-${text[0]}`), text, { qos: 1 })),
    );
    await until(() => one.length + other.length >= sent.length);
    assert.deepEqual([...one, ...other].toSorted(), sent.toSorted());
    assert.ok(one.length > sent.length / 10 && other.length > sent.length / 10, `${one.length} and ${other.length}`);
    // RabbitMQ settles what was acknowledged in its own time, and may forget it when the channel closes before.
    await until(async () => (await unsettledIn(ingestQueue)) === 0);
  });

  test('while nothing can be stored all is kept, whatever else arrives, and stored afterwards', async () => {
    const stored: string[] = [];
    let isDatabaseUp = false;
    let lines = 0;
    const transport = await startTransport(async (message) => {
      if (message.topic === logTopic('gw-1')) return void lines++;
      if (!isDatabaseUp) throw new Error('the database is away');
      stored.push(textOf(message));
    });
    const client = await gateway('gw-1');
    const sent = numbers(100).map((index) => `kept-${index}`);
    await Promise.all(sent.map((text) => client.publishAsync(stateOf('gw-1'), text, { qos: 1 })));
    for (let line = 0; line < 15; line++) {
      await client.publishAsync(logTopic('gw-1'), 'a line', { qos: 1 });
      await sleep(100);
    }
    assert.ok(lines > 0);
    isDatabaseUp = true;
    await until(() => stored.length >= sent.length);
    assert.deepEqual(stored.toSorted(), sent.toSorted());
    assert.equal(transport.shared.figures().poisoned, 0);
  });

  test('a message that fails while others are stored becomes a dead letter', async () => {
    const stored: string[] = [];
    const transport = await startTransport(async (message) => {
      if (textOf(message) === 'poison') throw new Error('cannot be stored');
      stored.push(textOf(message));
    });
    const client = await gateway('gw-1');
    await client.publishAsync(stateOf('gw-1'), 'poison', { qos: 1 });
    let sent = 0;
    await until(async () => {
      await client.publishAsync(stateOf('gw-1'), `good-${sent++}`, { qos: 1 });
      return transport.shared.figures().poisoned === 1;
    });
    await until(() => stored.length === sent);
    await until(async () => (await messagesIn(deadQueue)) === 1);
  });

  test('what one process publishes, the viewers of all others see until they leave', async () => {
    const [one, other] = [await startTransport(), await startTransport()];
    const seen: string[] = [];
    const leaveFirst = await other.shared.watch('live/s-1', (payload) => seen.push(`first ${payload}`));
    const leaveSecond = await other.shared.watch('live/s-1', (payload) => seen.push(`second ${payload}`));
    const leaveOther = await other.shared.watch('live/s-2', (payload) => seen.push(`other ${payload}`));
    one.publish('live/s-3', '0');
    one.publish('live/s-1', '1');
    await until(() => seen.length === 2);
    assert.deepEqual(seen.splice(0), ['first 1', 'second 1']);
    leaveFirst();
    leaveOther();
    one.publish('live/s-2', '2');
    one.publish('live/s-1', '3');
    await until(() => seen.length > 0);
    assert.deepEqual(seen, ['second 3']);
    leaveSecond();
  });

  for (const qos of [0, 1] as const) {
    test(`a gateway that subscribes with quality ${qos} hears the platform`, async () => {
      const transport = await startTransport();
      const client = await gateway('gw-1', 1);
      await client.subscribeAsync('gateways/gw-1/telemetry/ack', { qos });
      const heard = new Promise((resolve) => {
        client.once('message', (topic, payload, { qos, retain }) => resolve([topic, String(payload), qos, retain]));
      });
      transport.publish('gateways/gw-1/telemetry/ack', '{"acked":[[1,2]]}');
      assert.deepEqual(await heard, ['gateways/gw-1/telemetry/ack', '{"acked":[[1,2]]}', qos, false]);
    });
  }

  test('a retained message is not delivered to later subscribers', async () => {
    const client = await gateway('gw-1');
    await client.publishAsync(stateOf('gw-1'), 'old', { qos: 1, retain: true });
    let heard = 0;
    client.on('message', () => heard++);
    await client.subscribeAsync(stateOf('gw-1'), { qos: 1 });
    await sleep(300);
    assert.equal(heard, 0);
  });

  test('a stranger is refused', async () => {
    await assert.rejects(gateway('stranger'), /[Nn]ot authorized|Bad username/u);
  });

  test('connections are listed and closed by any address that answers', async () => {
    const management = createManagement(['http://127.0.0.1:1', ...rabbit.managementUrls]);
    await startTransport();
    const beganMs = systemClock.now();
    const client = await gateway('gw-listed');
    await until(async () => {
      const [connection] = await management.connectionsOf('gw-listed');
      return connection?.connectedAtMs !== undefined;
    });

    const all = await Array.fromAsync(management.allConnections());
    const [listed, ...others] = all.filter(({ username }) => username === 'gw-listed');
    assert.deepEqual([listed?.clientId, others], ['gw-listed', []]);
    assert.ok(Math.abs(listed!.connectedAtMs! - beganMs) < 5_000);

    let isGone = false;
    client.once('close', () => {
      isGone = true;
    });
    await management.close(listed!);
    await until(() => isGone, Boolean, 5_000);
    await management.close(listed!); // once more does no harm
  });

  for (const { says, end } of [
    { says: 'is disconnected', end: (platform: RabbitTransport) => platform.disconnect({ serial: 'gw-gone' }) },
    {
      says: 'has an expired token',
      async end(platform: RabbitTransport) {
        platform.shared.admitted({ username: 'gw-gone', clientId: 'gw-gone', expiresAt: systemClock.now() });
      },
    },
    {
      says: 'has a token revoked by another process',
      async end(platform: RabbitTransport) {
        const login = {
          username: 'gw-gone',
          clientId: 'gw-gone',
          expiresAt: systemClock.now() + 60_000,
          tokenId: 't-1',
        };
        platform.shared.admitted(login);
        const other = await startTransport();
        await other.disconnect({ identityId: 'idt-1', tokenId: 't-1' });
      },
    },
  ]) {
    test(`a client that ${says} is disconnected within 5 s, others stay`, async () => {
      const platform = await startTransport();
      const [gone, stays] = [await gateway('gw-gone', 1), await gateway('gw-stays', 1)];
      let isGone = false;
      gone.once('close', () => {
        isGone = true;
      });
      await end(platform);
      await until(() => isGone, Boolean, 5_000);
      assert.equal(stays.connected, true);
    });
  }

  if (nodes === 3) {
    test('the leader node is killed and restarted: nothing is lost, viewers and gateways get their messages', async (t) => {
      const stored = new Set<string>();
      const [seen, heard]: [string[], string[]] = [[], []];
      const platform = await startTransport(async (message) => void stored.add(textOf(message)));
      await startTransport(async (message) => void stored.add(textOf(message)));
      await platform.shared.watch('orgs/o-1/a', (payload) => seen.push(payload));
      const listener = await gateway('gw-listens');
      listener.on('message', (_, payload) => heard.push(String(payload)));
      // Not 1: the queue of a clean session with quality 1 cannot be had again while the node it was on is away.
      await listener.subscribeAsync('control/gw-listens/#', { qos: 0 });

      const crowd = startCrowd(await twelveGateways(), stateOf('gw-crowd'));
      await crowd.publishesMore(1_500);
      const leader = await rabbit.leaderOf(ingestQueue);
      await rabbit.kill(leader);
      await crowd.publishesMore(1_500);
      crowd.restMs = 100; // a node that starts needs the processor, too
      await until(() => {
        platform.publish('orgs/o-1/a', 'without it');
        platform.publish('control/gw-listens/x', 'without it');
        return seen.includes('without it') && heard.includes('without it');
      });
      await until(async () => (await rabbit.leaderOf(ingestQueue)) !== leader);
      await rabbit.start(leader);
      await crowd.publishesMore(100);
      const published = await crowd.stop();
      const lost = () => [...crowd.acknowledged].filter((text) => !stored.has(text)).length;
      await until(() => lost() === 0);
      t.diagnostic(
        `${published} published, ${crowd.acknowledged.size} acknowledged, ${stored.size} stored, ${lost()} lost`,
      );
    });
  }

  suite('while the platform that it asks', () => {
    let inside: MqttClient;
    const enter = (serial: string): Promise<MqttClient> =>
      connectOnce(rabbit.mqttUrls[0]!, {
        clientId: serial,
        username: serial,
        password: 'token',
        protocolVersion: 4,
        connectTimeout: 3000,
      });
    const refusesAll = async (): Promise<void> => {
      const tries = await Promise.allSettled(numbers(5).map((index) => enter(`gw-new-${index}`)));
      for (const each of tries) if (each.status === 'fulfilled') await each.value.endAsync(true);
      assert.deepEqual([...new Set(tries.map(({ status }) => status))], ['rejected']);
      assert.ok(inside.connected);
      await inside.publishAsync(stateOf('gw-inside'), '{}', { qos: 1 });
    };
    const isItselfAgain = async (): Promise<void> => (await enter('gw-after')).endAsync(true);

    before(async () => {
      inside = await enter('gw-inside');
      await inside.publishAsync(stateOf('gw-inside'), '{}', { qos: 1 });
    });
    after(() => inside?.endAsync(true));

    for (const [does, answer] of Object.entries(waysToBeAway)) {
      test(`${does}, refuses new clients, keeps connected ones, and recovers afterwards`, async () => {
        const { asked } = callout;
        callout.answer(answer);
        await refusesAll().finally(() => callout.answer());
        assert.ok(callout.asked > asked, 'no process was asked');
        await isItselfAgain();
      });
    }

    test('is down, refuses new clients, keeps connected ones, and recovers afterwards', async () => {
      await callout.close();
      try {
        await refusesAll();
      } finally {
        await callout.open();
      }
      await isItselfAgain();
    });
  });

  /** Ready or taken, as RabbitMQ's statistics tell. */
  async function unsettledIn(queue: string): Promise<number> {
    const { origin, username, password } = new URL(rabbit.managementUrls[0]!);
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
    const answer = await fetch(`${origin}/api/queues/%2F/${queue}`, { headers });
    return ((await answer.json()) as { messages: number }).messages;
  }

  async function messagesIn(queue: string): Promise<number> {
    const connection = await connect(rabbit.amqpUrls[0]!);
    const { messageCount } = await (await connection.createChannel()).checkQueue(queue);
    await connection.close();
    return messageCount;
  }
});
