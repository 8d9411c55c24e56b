import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { MqttClient } from 'mqtt';
import { stateTopic } from '#contract/topics.ts';
import { type GatewaySigner, p256 } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';
import {
  connect,
  connectGateway,
  connectMember,
  ended,
  memberClientIds,
  openBroker,
  passwordOf,
} from '../testing/trial.ts';
import type { BrokerClient } from '../transport.ts';

const notAuthorized = { code: 5 };

describe('logging in to the embedded broker', async () => {
  const { cloud, trial, owner, orgId, gateway, clients, enter, close } = await openBrokerHome();
  after(close);

  test('the platform is notified when a gateway connects and disconnects', async () => {
    const gateway = await cloud.claim(owner, orgId);
    const client = await enter(gateway);
    await until(() => trial.presence.length > 0);
    await client.endAsync();
    await until(() => trial.presence.some(([serial, isConnected]) => serial === gateway.serial && !isConnected));
    const told = trial.presence.filter(([serial]) => serial === gateway.serial);
    assert.deepEqual(told, [
      [gateway.serial, true],
      [gateway.serial, false],
    ]);
  });

  test('bad logins are refused', async () => {
    const { serial } = gateway;
    const password = await passwordOf(gateway, cloud.clock.now());
    for (const options of [
      {},
      { username: serial },
      { username: serial, password: 'secret' },
      { username: serial, password: await passwordOf(gateway, cloud.clock.now() - 3_700_000) },
      { username: serial, password: await passwordOf(gateway, cloud.clock.now(), { key: p256().privateKey }) },
      { username: serial, password, clientId: 'somebody' },
      { username: serial, password, clientId: '' },
    ]) {
      await assert.rejects(
        connect(trial.url, { clientId: serial, ...options }),
        notAuthorized,
        JSON.stringify(options),
      );
    }
    await assert.rejects(enter(p256()), notAuthorized);
  });

  test('other protocol versions than 3.1.1 are refused', async () => {
    const login = connectGateway(trial.url, gateway, cloud.clock.now(), { protocolVersion: 5 });
    await assert.rejects(login);
  });

  test('a client id is taken over by the same gateway only', async () => {
    const victim = await enter(gateway);
    const attacker = await cloud.claim(owner, orgId);
    for (let tries = 0; tries < 20; tries++) {
      await assert.rejects(enter(attacker, { clientId: gateway.serial }), notAuthorized);
    }
    assert.ok(victim.connected);
    const again = await enter(gateway);
    await ended(victim);
    assert.ok(again.connected);
  });

  test('a client id that fits the names of two gateways belongs to the first', async () => {
    const [head, tail] = ['head', 'tail'].map((word) => p256(`${word}-${gateway.serial.slice(4)}`)) as [
      GatewaySigner,
      GatewaySigner,
    ];
    await cloud.claim(owner, orgId, head);
    await cloud.claim(owner, orgId, tail);
    const clientId = `${head.serial}-${tail.serial}`;
    const first = await enter(head, { clientId });
    await assert.rejects(enter(tail, { clientId }), notAuthorized);
    await first.publishAsync(stateTopic(head.serial), '{}', { qos: 1 });
    assert.ok(first.connected);
  });

  test('the client id of a member contains their identity id, as on an external broker', async () => {
    const machine = await enter(gateway);
    const other = await cloud.person();
    const stranger = await connectMember(trial.url, other);
    const { own, foreign } = memberClientIds(owner.id, [gateway.serial, other.id]);
    const connected: MqttClient[] = [];
    for (const clientId of own) connected.push(await connectMember(trial.url, owner, { clientId }));
    for (const clientId of foreign) {
      await assert.rejects(connectMember(trial.url, owner, { clientId }), notAuthorized, clientId);
    }
    await connected.at(-1)!.subscribeAsync(`orgs/${orgId}/#`);
    assert.ok([machine, stranger, ...connected].every((client) => client.connected));
    const again = await connectMember(trial.url, owner, { clientId: own[0]! });
    await ended(connected[0]!);
    assert.ok(again.connected && stranger.connected);
    await Promise.all([stranger, again, ...connected].map((client) => client.endAsync(true)));
    await until(() => !trial.broker.isWanted(`orgs/${orgId}`));
  });

  test('the connection ends when the token does', async () => {
    const gateway = await cloud.claim(owner, orgId);
    const now = cloud.clock.now();
    const { serial } = gateway;
    const password = await passwordOf(gateway, now, { claims: { exp: now / 1000 + 60 } });
    const client = await connect(trial.url, { clientId: serial, username: serial, password });
    const other = await enter(gateway, { clientId: `${serial}-longer` });
    const startedAt = performance.now();
    cloud.clock.advance(60_000);
    await ended(client);
    assert.ok(performance.now() - startedAt < 5000);
    assert.ok(other.connected);
  });

  test('a disconnected gateway, member or token is gone at once', async () => {
    const [left, stays] = [await cloud.claim(owner, orgId), await cloud.claim(owner, orgId)];
    const staying = await enter(stays);
    const leaving = await Promise.all([enter(left), enter(left, { clientId: `${left.serial}-2` })]);
    await trial.broker.disconnect({ serial: left.serial });
    await Promise.all(leaving.map(ended));

    const [ada, bob] = [await cloud.person(), await cloud.person()];
    const [hers, his] = [await connectMember(trial.url, ada), await connectMember(trial.url, bob)];
    clients.push(hers, his);
    await trial.broker.disconnect({ identityId: ada.id });
    await ended(hers);
    assert.ok(his.connected);
    const { tokenId } = await trial.sessions.authenticate(`Bearer ${bob.token}`);
    await trial.broker.disconnect({ identityId: bob.id, tokenId });
    await ended(his);
    assert.ok(staying.connected);
  });

  for (const { says, named, succeeds } of [
    {
      says: 'when its gateway is disconnected does not succeed',
      named: (serial: string) => ({ serial }),
      succeeds: false,
    },
    {
      says: 'stays connected when the token of another client is revoked',
      named: () => ({ identityId: 'idt-other', tokenId: 'tok-other' }),
      succeeds: true,
    },
  ])
    test(`a login under way ${says}`, async () => {
      const gateway = await cloud.claim(owner, orgId);
      const { serial } = gateway;
      const admission = {
        platformMessage: () => '{}',
        mayPublish: () => true,
        maySubscribe: () => true,
        renew: async (client: BrokerClient) => client,
      };
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      const slow = await openBroker(cloud, {
        admission: {
          ...admission,
          async login() {
            asked.resolve();
            await held.promise;
            return { client: { kind: 'gateway', serial }, expiresAt: cloud.clock.now() + 60_000 };
          },
        },
      });
      const login = connectGateway(slow.url, gateway, cloud.clock.now());
      const outcome = login.then(
        () => true,
        () => false,
      );
      await asked.promise;
      await slow.broker.disconnect(named(serial));
      held.resolve();
      assert.equal(await outcome, succeeds);
      if (succeeds) (await login).end(true);
      else assert.deepEqual(slow.presence, []);
      await slow.broker.close();
    });

  test('a gateway and a member have a limited number of connections, and may replace one', async (t) => {
    const limits = { connectionsPerGateway: 3, connectionsPerMember: 2 };
    const { url, broker } = await openBroker(cloud, { limits });
    t.after(() => broker.close());
    const member = await cloud.person();
    const asGateway = (n: number) =>
      connectGateway(url, gateway, cloud.clock.now(), { clientId: `${gateway.serial}-${n}` });
    const asMember = (n: number) => connectMember(url, member, { clientId: `${member.id}-${n}` });
    for (const [most, open] of [
      [3, asGateway],
      [2, asMember],
    ] as const) {
      const connected: MqttClient[] = [];
      for (let n = 0; n < most; n++) connected.push(await open(n));
      const full = { code: 3 }; // server unavailable
      await assert.rejects(open(most), full);
      const [replaced] = connected.splice(0, 1, await open(0));
      await ended(replaced!);
      await assert.rejects(open(most), full);
      await connected.pop()!.endAsync();
      await until(async () => {
        const client = await open(most).catch(() => undefined);
        if (client) connected.push(client);
        return client !== undefined;
      });
      await Promise.all(connected.map((client) => client.endAsync(true)));
    }
  });

  test('the topics of an organization are wanted while a member is subscribed to some of them', async () => {
    const topic = `orgs/${orgId}/sites/ste-1`;
    const client = await connectMember(trial.url, owner);
    assert.equal(trial.broker.isWanted(topic), false, 'connected, but not subscribed');
    await client.subscribeAsync([`orgs/${orgId}/sites/+`, `orgs/${orgId}/#`]);
    assert.equal(trial.broker.isWanted(topic), true);
    assert.equal(trial.broker.isWanted('orgs/org-other/sites/ste-1'), false);
    await client.unsubscribeAsync(`orgs/${orgId}/#`);
    assert.equal(trial.broker.isWanted(topic), true, 'one subscription is left');
    await client.unsubscribeAsync(`orgs/${orgId}/sites/+`);
    assert.equal(trial.broker.isWanted(topic), false);
    await client.subscribeAsync(`orgs/${orgId}/#`);
    await client.endAsync();
    await until(() => !trial.broker.isWanted(topic));
  });
});
