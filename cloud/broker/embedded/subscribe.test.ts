import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MqttClient } from 'mqtt';
import { commandAckTopic, commandTopic, orgTelemetryTopic, stateTopic, telemetryAckTopic } from '#contract/topics.ts';
import { heldBytes } from '#test/held-memory.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';
import { connectMember, ended, openBroker } from '../testing/trial.ts';

const refused = 128;

describe('subscribing at the embedded broker', async () => {
  const limits = { queuedBytes: 100_000, stalledMs: 1500 };
  const { cloud, trial, owner, orgId, gateway, clients, enter, close } = await openBrokerHome({ limits });
  after(close);

  /** The grant for each filter, sent in one packet. */
  const grants = (client: MqttClient, filters: string[]): Promise<number[]> =>
    new Promise((resolve) => {
      client.on('packetreceive', (packet) => {
        if (packet.cmd === 'suback') resolve(packet.granted as number[]);
      });
      client.subscribe(filters, { qos: 1 }, () => {});
    });

  test('a gateway may subscribe to its own topics only', async () => {
    const { serial } = gateway;
    const client = await enter(gateway, { clientId: `${serial}-grants` });
    const own = [`control/${serial}/#`, telemetryAckTopic(serial), `gateways/${serial}/devices/+/ders/+/control/#`];
    assert.deepEqual(await grants(client, own), [0, 0, 0]);
    const above = [
      '#',
      '+/#',
      `+/${serial}/#`,
      'control/+/#',
      '$SYS/#',
      '$share/g/#',
      `$share/g/control/${serial}/#`,
      '$queue/#',
      `gateways/${serial}/#`,
      'orgs/#',
      `control/${serial}/a\uFFFDb`,
    ];
    assert.deepEqual(
      await grants(client, above),
      above.map(() => refused),
    );
  });

  test('a client has at most 50 subscriptions, and may repeat one', async () => {
    const client = await enter(gateway, { clientId: `${gateway.serial}-many` });
    const filters = Array.from({ length: 60 }, (_, index) => `control/${gateway.serial}/${index}`);
    const granted = await grants(client, filters);
    assert.equal(granted.filter((grant) => grant === 0).length, 50);
    assert.deepEqual(await grants(client, [filters[0]!]), [0]);
    await client.unsubscribeAsync(filters[0]!);
    assert.deepEqual(await grants(client, [filters[59]!]), [0]);
  });

  test('a gateway that subscribes to it gets the deployment id and the keys of the platform', async () => {
    const { serial } = gateway;
    const client = await enter(gateway, { clientId: `${serial}-platform` });
    const received: string[] = [];
    client.on('message', (topic, payload) => received.push(`${topic} ${payload.toString()}`));
    const expected = `control/${serial}/platform ${trial.platformMessage()}`;
    await client.subscribeAsync(`control/${serial}/battery/+/ems/commands`);
    for (const [at, filter] of [`control/${serial}/platform`, `control/${serial}/#`].entries()) {
      await client.subscribeAsync(filter, { qos: 1 });
      await until(() => received.length > at);
    }
    assert.deepEqual(received, [expected, expected]);
    await assert.rejects(client.subscribeAsync('control/other-gateway/platform'));
  });

  test('members receive messages of their organizations only', async () => {
    const other = await cloud.person();
    const otherOrg = await cloud.organization(other);
    const [mine, theirs] = [await connectMember(trial.url, owner), await connectMember(trial.url, other)];
    const heard: string[] = [];
    mine.on('message', (topic, payload) => heard.push(`mine ${topic} ${payload.toString()}`));
    theirs.on('message', (topic) => heard.push(`theirs ${topic}`));
    assert.deepEqual(await grants(mine, [`orgs/${orgId}/#`, `orgs/${otherOrg}/#`, 'orgs/+/#']), [0, refused, refused]);
    assert.deepEqual(await grants(theirs, [`orgs/${otherOrg}/#`]), [0]);
    const topic = orgTelemetryTopic({ org_id: orgId, site_id: 'sit-1', device_id: 'dev-1', der_id: 'der-1' });
    trial.broker.publish(topic, '{"W":1}');
    await until(() => heard.length > 0);
    await delay(50);
    assert.deepEqual(heard, [`mine ${topic} {"W":1}`]);
    await Promise.all([mine.endAsync(), theirs.endAsync()]);
  });

  test('a member receives messages of an organization that they joined after connecting, within the same number of subscriptions', async () => {
    const member = await cloud.person();
    const client = await connectMember(trial.url, member);
    const { body } = await cloud.call('POST', '/organizations', { as: owner, body: { name: 'Cabin' } });
    const filters = Array.from({ length: 60 }, (_, index) => `orgs/${body.id}/sites/${index}/#`);
    assert.deepEqual(await grants(client, filters.slice(0, 2)), [refused, refused]);
    const secret = await cloud.invite(owner, body.id, 'viewer');
    await cloud.call('POST', `/invitations/${secret}/accept`, { as: member });
    const granted = await grants(client, [...filters, `orgs/${orgId}/#`]);
    assert.deepEqual(granted, [...new Array(50).fill(0), ...new Array(11).fill(refused)]);
    await client.endAsync();
  });

  test('members publish nothing', async () => {
    const client = await connectMember(trial.url, owner, { clientId: `${owner.id}-loud` });
    client.publish(`orgs/${orgId}/x`, 'x', { qos: 1 });
    await ended(client);
    const forger = await connectMember(trial.url, owner, { clientId: `${owner.id}-forger` });
    forger.publish(commandTopic(gateway.serial, 'battery', 'INV-1'), 'x');
    await ended(forger);
  });

  test('messages of a gateway reach the platform and no other client', async () => {
    const { serial } = gateway;
    const client = await enter(gateway, { clientId: `${serial}-echo` });
    const heard: string[] = [];
    client.on('message', (_, payload) => heard.push(payload.toString()));
    await client.subscribeAsync(`control/${serial}/battery/#`, { qos: 1 });
    for (const qos of [0, 1] as const) {
      await client.publishAsync(commandAckTopic(serial, 'battery', 'INV-1'), 'forged', { qos });
    }
    trial.broker.publish(commandTopic(serial, 'battery', 'INV-1'), 'of the platform');
    await until(() => heard.includes('of the platform'));
    assert.deepEqual(heard, ['of the platform']);
  });

  test('a command reaches connected clients and is not queued for others', async () => {
    const { serial } = gateway;
    const lasting = { clientId: `${serial}-lasting`, clean: false };
    const client = await enter(gateway, lasting);
    const heard: string[] = [];
    client.on('message', (_, payload) => heard.push(payload.toString()));
    await client.subscribeAsync(`control/${serial}/battery/#`, { qos: 1 });
    trial.broker.publish(commandTopic(serial, 'battery', 'INV-1'), 'now');
    await until(() => heard.length === 1);
    await client.endAsync();
    trial.broker.publish(commandTopic(serial, 'battery', 'INV-1'), 'too late');

    const again = await enter(gateway, lasting);
    again.on('message', (_, payload) => heard.push(payload.toString()));
    trial.broker.publish(commandTopic(serial, 'battery', 'INV-1'), 'to no subscriber');
    await again.subscribeAsync(`control/${serial}/battery/#`, { qos: 1 });
    await again.publishAsync(stateTopic(serial), '{}', { qos: 1 });
    assert.deepEqual(heard, ['now']);
  });

  const stopReading = ({ stream }: MqttClient): void => {
    stream.unpipe();
    stream.pause();
  };

  test('a member that does not read costs a bounded queue, and nobody else waits for it', async (t) => {
    const patient = await openBroker(cloud, { limits: { stalledMs: 60_000 } }); // it disconnects nobody meanwhile
    t.after(() => patient.broker.close());
    const [slow, quick] = [await cloud.member(owner, orgId, 'viewer'), await cloud.member(owner, orgId, 'viewer')];
    const [stuck, reading] = [await connectMember(patient.url, slow), await connectMember(patient.url, quick)];
    clients.push(stuck, reading);
    for (const client of [stuck, reading]) await client.subscribeAsync(`orgs/${orgId}/#`);
    let heard = 0;
    reading.on('message', () => heard++);
    stopReading(stuck);

    const before = heldBytes();
    for (let published = 0; published < 8000; ) {
      for (let burst = 0; burst < 50; burst++, published++) {
        patient.broker.publish(`orgs/${orgId}/x`, String(published % 10).repeat(10_000));
      }
      await until(() => heard === published);
      if (published % 2000 > 0) continue;
      // Buffers are freed some turns after the collection that found them unused.
      await until(() => heldBytes() - before < 15e6);
    }
  });

  test('a member that leaves in a flood of small messages takes nothing with it', async () => {
    const [leaver, stayer] = [await cloud.member(owner, orgId, 'viewer'), await cloud.member(owner, orgId, 'viewer')];
    const [leaving, staying] = [await connectMember(trial.url, leaver), await connectMember(trial.url, stayer)];
    for (const client of [leaving, staying]) await client.subscribeAsync(`orgs/${orgId}/#`);
    stopReading(leaving);
    for (let published = 0; published < 20_000; published++) trial.broker.publish(`orgs/${orgId}/x`, 'x');
    leaving.stream.destroy();
    await delay(200);
    for (let published = 0; published < 20_000; published++) trial.broker.publish(`orgs/${orgId}/x`, 'x');
    let isHeard = false;
    staying.on('message', (topic) => {
      isHeard ||= topic.endsWith('/last');
    });
    await until(() => {
      trial.broker.publish(`orgs/${orgId}/last`, 'x'); // again, since what comes too fast is missed
      return isHeard;
    });
    assert.ok(isHeard);
    await staying.endAsync(true);
  });

  test('a member that does not read for long is disconnected', async () => {
    const member = await cloud.member(owner, orgId, 'viewer');
    const stuck = await connectMember(trial.url, member);
    clients.push(stuck);
    await stuck.subscribeAsync(`orgs/${orgId}/#`);
    stopReading(stuck);
    await until(() => {
      for (let burst = 0; burst < 9; burst++) trial.broker.publish(`orgs/${orgId}/x`, 'x'.repeat(10_000));
      return !trial.broker.isWanted(`orgs/${orgId}`);
    });
  });
});
