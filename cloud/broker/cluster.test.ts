import assert from 'node:assert/strict';
import { after, afterEach, before, suite, type TestContext, test } from 'node:test';
import type { MqttClient } from 'mqtt';
import { commandTopic } from '#contract/topics.ts';
import { createLog } from '#lib/log.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { type Rabbit, rabbitMissing, startRabbit } from '#test/services/rabbitmq.ts';
import { until } from '#test/until.ts';
import { createBus } from './cluster/bus.ts';
import type { ClusterTransport } from './cluster.ts';
import { connectMember, ended } from './testing/trial.ts';

const reading = { W: 1500, timestamp: Date.parse('2026-06-01T12:00:00Z') };
const log = createLog({ level: 'silent', name: 'test' });

suite('two processes of one platform', { skip: rabbitMissing() || postgresMissing() }, () => {
  let rabbit: Rabbit;
  let database: { url: string; drop(): Promise<void> };
  const nodes: TestCloud[] = [];
  const urls: string[] = [];
  const clients: MqttClient[] = [];
  const transportOf = (node: number) => nodes[node]!.transport as ClusterTransport;

  before(async () => {
    rabbit = await startRabbit({ nodes: 1, authUrl: 'http://127.0.0.1:1' });
    database = await freshDatabase();
    for (let node = 0; node < 2; node++) await startNode();
    await until(() => nodes.every((_, node) => transportOf(node).bus.peers === 1));
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  });
  after(async () => {
    for (const node of nodes) await node.close();
    await database?.drop();
    await rabbit?.stop();
  });

  async function startNode(): Promise<void> {
    const env = { BUS_URL: rabbit.amqpUrls.join(), DATABASE_URL: database.url };
    const node = await openCloud({ engine: 'postgres', databaseUrl: database.url, env });
    nodes.push(node);
    urls.push(await node.app.listen({ host: '127.0.0.1', port: 0 }));
    await node.start();
  }

  async function connect(node: number, gateway: GatewaySigner): Promise<GatewayClient> {
    const { transport, clock } = nodes[node]!;
    const client = await connectGateway(transport.urls.mqtt!, gateway, clock.now());
    clients.push(client);
    return client;
  }

  async function follow(t: TestContext, node: number, site: string, { token }: Person) {
    const stream = await readEvents(`${urls[node]}/stream/sites/${site}`, { authorization: `Bearer ${token}` });
    t.after(stream.close);
    return stream;
  }

  /** Collects the commands that a gateway receives. */
  async function commandsOf(client: GatewayClient, { serial }: GatewaySigner): Promise<string[]> {
    const received: string[] = [];
    client.on('message', (topic, payload) => topic.endsWith('commands') && received.push(payload.toString()));
    await client.subscribeAsync(`control/${serial}/#`);
    return received;
  }

  test('a reading reaches viewers of both processes, and the other only while somebody watches there', async (t) => {
    const { owner, site, gateway } = await nodes[0]!.home();
    const topic = `live/${site}`;
    const client = await connect(0, gateway);
    const { figures } = transportOf(0).shared;
    const before = figures().published;
    await client.report('INV-1', 'pv', reading);
    assert.equal(figures().published, before, 'nobody watches');
    const streams = [await follow(t, 1, site, owner)];
    await until(() => transportOf(0).isWanted(topic));
    await client.report('INV-1', 'pv', { W: 1700, timestamp: reading.timestamp + 1000 });
    assert.ok(figures().published > before);
    streams.push(await follow(t, 0, site, owner));
    await client.report('INV-1', 'pv', { W: 1750, timestamp: reading.timestamp + 1500 });
    for (const { events } of streams) await until(() => events.some(({ data }) => data.W === 1750));
    for (const stream of streams) await stream.close();
    await until(() => !transportOf(0).isWanted(topic));
    const watched = figures().published;
    await client.report('INV-1', 'pv', { W: 1800, timestamp: reading.timestamp + 2000 });
    assert.equal(figures().published, watched);
  });

  test('a viewer that comes back misses no reading of a process whose clock is slower', async (t) => {
    const { owner, site, gateway } = await nodes[0]!.home();
    const headers = { authorization: `Bearer ${owner.token}` };
    nodes[0]!.clock.advance(2000);
    t.after(() => nodes[1]!.clock.advance(2000));
    const first = await connect(0, gateway);
    const before = await follow(t, 0, site, owner);
    await first.report('INV-1', 'pv', { W: 1, timestamp: reading.timestamp + 10_001 });
    const seen = (await before.readings(1))[0]!;
    await before.close();
    const second = await connect(1, gateway);
    await second.report('INV-1', 'pv', { W: 2, timestamp: reading.timestamp + 10_002 });
    const back = await readEvents(`${urls[0]}/stream/sites/${site}`, { ...headers, 'last-event-id': seen.id! });
    t.after(back.close);
    await until(() => back.events.some(({ data }) => data.W === 2));
    assert.deepEqual(
      back.events.filter(({ data }) => data.W === 1).map(({ id }) => id),
      [seen.id],
      'repeated with its id',
    );
  });

  test('a member receives readings from both processes, once each', async () => {
    const { owner, org, gateway } = await nodes[0]!.home();
    const member = await connectMember(transportOf(1).urls.mqtt!, owner);
    clients.push(member);
    const received: number[] = [];
    member.on('message', (_, payload) => received.push(JSON.parse(payload.toString()).W));
    await member.subscribeAsync([`orgs/${org}/#`, `orgs/${org}/sites/+/devices/+/ders/+/telemetry/#`]);
    for (const [node, W] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const client = await connect(node, gateway);
      await client.report('INV-1', 'pv', { W, timestamp: reading.timestamp + W });
    }
    await until(() => received.length >= 2);
    assert.deepEqual(received, [1, 2]);
  });

  test('a command reaches a gateway of the other process, and follows it when it moves', async () => {
    const { owner, gateway, device } = await nodes[0]!.home();
    const battery = device.ders.find(({ type }: { type: string }) => type === 'battery').id;
    const send = async (power_w: number): Promise<void> => {
      const body = { power_w, ttl_s: 60 };
      const { status } = await nodes[0]!.call('POST', `/ders/${battery}/commands`, { as: owner, body });
      assert.equal(status, 202);
    };
    const first = await connect(1, gateway);
    const onFirst = await commandsOf(first, gateway);
    await send(100);
    await until(() => onFirst.length === 1);
    const second = await connect(0, gateway);
    const onSecond = await commandsOf(second, gateway);
    await ended(first);
    await send(200);
    await until(() => onSecond.length === 1);
    const third = await connect(1, gateway);
    const onThird = await commandsOf(third, gateway);
    await ended(second);
    await send(300);
    await until(() => onThird.length === 1);
    assert.deepEqual([onFirst.length, onSecond.length], [1, 1]);
  });

  test('a command that arrives after the gateway has moved follows it once', async () => {
    const { gateway } = await nodes[0]!.home();
    const client = await connect(0, gateway);
    const received = await commandsOf(client, gateway);
    // As sent by a process that read the lease just before.
    const bus = createBus({ urls: rabbit.amqpUrls, nodeId: 'late', log, onJoined: () => {} });
    await bus.start();
    await until(() => bus.peers === 2);
    const topic = commandTopic(gateway.serial, 'battery', 'INV-1');
    const to = `node/${transportOf(1).nodeId}/commands`;
    await until(() => bus.isWanted(to));
    bus.publish(to, JSON.stringify({ topic, payload: 'late', isFollowing: false }));
    await until(() => received.includes('late'));
    await bus.close();
  });

  test('a client id is connected to one process at a time, and a gateway that moves stays online', async () => {
    const { owner, gateway } = await nodes[0]!.home();
    const isOnline = async () =>
      (await nodes[1]!.call('GET', `/gateways/${gateway.serial}`, { as: owner })).body.online;
    const first = await connect(0, gateway);
    await until(isOnline, (online) => online === true);
    const second = await connect(1, gateway);
    await ended(first);
    await until(async () => (await leasesOf(gateway)).every(({ node }) => node === transportOf(1).nodeId));
    assert.ok(second.connected);
    assert.equal(await isOnline(), true);
    const member = await connectMember(transportOf(0).urls.mqtt!, owner);
    const again = await connectMember(transportOf(1).urls.mqtt!, owner);
    clients.push(member, again);
    await ended(member);
    assert.ok(again.connected);
    await second.endAsync(true);
    await until(isOnline, (online) => online === false);
  });

  const leasesOf = ({ serial }: GatewaySigner) =>
    nodes[0]!.store.db.selectFrom('broker_connections').selectAll().where('owner', '=', serial).execute();

  test('a client that connects to both at once keeps the later connection', async () => {
    const { gateway } = await nodes[0]!.home();
    for (let round = 0; round < 5; round++) {
      const both = await Promise.all(
        [connect(0, gateway), connect(1, gateway)].map((one) => one.catch(() => undefined)),
      );
      await until(() => both.filter((client) => client?.connected).length === 1);
      const [lease] = await leasesOf(gateway);
      const node = both.findIndex((client) => client?.connected);
      assert.equal(lease?.node, transportOf(node).nodeId);
    }
  });

  test('a budget holds for the whole platform', async (t) => {
    const limit = 200;
    const env = { BUS_URL: rabbit.amqpUrls.join(), DATABASE_URL: database.url, RATE_ORDINARY: String(limit) };
    const strict: { cloud: TestCloud; url: string }[] = [];
    for (let node = 0; node < 2; node++) {
      const cloud = await openCloud({ engine: 'postgres', databaseUrl: database.url, env });
      t.after(cloud.close);
      await cloud.start();
      strict.push({ cloud, url: await cloud.app.listen({ host: '127.0.0.1', port: 0 }) });
    }
    await until(() => strict.every(({ cloud }) => (cloud.transport as ClusterTransport).bus.peers === 3));
    const headers = { authorization: `Bearer ${(await nodes[0]!.person()).token}` };
    let allowed = 0;
    for (let round = 0; round < limit; round++) {
      for (const { url } of strict) if ((await fetch(`${url}/identity/me`, { headers })).ok) allowed++;
    }
    assert.ok(allowed >= limit * 0.8 && allowed <= limit * 1.2, `${allowed} of ${limit} were allowed`);
  });

  test('without RabbitMQ, readings are stored, gateways of the same process are served, and viewers are told of the gap', async (t) => {
    const { owner, site, gateway, device } = await nodes[0]!.home();
    const client = await connect(0, gateway);
    const received = await commandsOf(client, gateway);
    const stream = await follow(t, 0, site, owner);
    await rabbit.kill(0);
    await until(() => nodes.every((_, node) => !transportOf(node).bus.isUp));
    assert.equal((await nodes[0]!.call('GET', '/ready')).status, 200);
    await client.report('INV-1', 'pv', reading);
    await until(() => stream.events.some(({ data }) => data.W === 1500));
    const battery = device.ders.find(({ type }: { type: string }) => type === 'battery').id;
    const command = { as: owner, body: { power_w: 100, ttl_s: 60 } };
    await nodes[0]!.call('POST', `/ders/${battery}/commands`, command);
    await until(() => received.length === 1);
    const elsewhere = await nodes[1]!.call('POST', `/ders/${battery}/commands`, command);
    const statusOf = async () =>
      (await nodes[1]!.call('GET', `/ders/${battery}/commands`, { as: owner })).body.find(
        ({ id }: { id: string }) => id === elsewhere.body.id,
      )?.status;
    await until(statusOf, (status) => status === 'failed');
    const other = await connect(1, gateway); // the bus was down
    const isGap = ({ event }: { event: string }): boolean => event === 'gap';
    assert.equal(stream.events.some(isGap), false);
    await rabbit.start(0);
    await ended(client);
    assert.ok(other.connected);
    await until(() => stream.events.some(isGap));
  });
});
