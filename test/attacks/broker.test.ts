import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { mayPublish, maySubscribe } from '#cloud/broker/admission.ts';
import { connectGateway, openBroker } from '#cloud/broker/testing/trial.ts';
import { matches } from '#cloud/broker/topic-filter.ts';
import type { BrokerClient } from '#cloud/broker/transport.ts';
import { stateTopic } from '#contract/topics.ts';
import { brokerToken } from '../cloud/gateway-client.ts';
import { internalToken, openCloud, type Person, type TestCloud } from '../cloud/open-cloud.ts';
import type { GatewaySigner } from '../cloud/people.ts';

const member = { kind: 'member', identityId: 'idt-1', tokenId: 'tok-1' } as const;

/** Clients at the broker, and every topic that each may receive. */
const listeners: Record<string, { client: BrokerClient; isTheirs: RegExp }> = {
  'a gateway': {
    client: { kind: 'gateway', serial: 'gw-1' },
    isTheirs: /^(control\/gw-1(\/.*)?|gateways\/gw-1\/(telemetry\/ack|devices\/[^/]*\/ders\/[^/]*\/control(\/.*)?))$/s,
  },
  'a member': { client: { ...member, orgIds: ['org-1', 'org-2'] }, isTheirs: /^orgs\/org-[12](\/.*)?$/s },
  'a member without organizations': { client: { ...member, orgIds: [] }, isTheirs: /^(?!)/ },
  'a platform administrator': { client: { ...member, orgIds: 'every' }, isTheirs: /^orgs\/[^/]*(\/.*)?$/s },
};

const words = ['gateways', 'control', 'orgs', 'gw-1', 'gw-2', 'gw-10', 'org-1', 'org-3', 'devices', 'x', 'ders', 'pv'];
const word = fc.constantFrom(...words, 'telemetry', 'ack', 'battery', 'ems', 'commands', '$SYS', '', 'json');
const topic = fc
  .oneof(
    fc.array(word, { minLength: 1, maxLength: 7 }),
    fc.tuple(fc.constantFrom('gateways', 'control', 'orgs'), fc.constantFrom('gw-1', 'gw-2', 'org-1', 'org-3'), word),
    fc.tuple(
      ...['gateways', 'gw-1', 'devices', 'x', 'ders', 'pv', 'control', 'set'].map((level) =>
        fc.oneof({ weight: 9, arbitrary: fc.constant(level) }, word),
      ),
    ),
  )
  .map((levels) => levels.join('/'));

/** Filters close to the allowed ones: a topic with some levels replaced, and sometimes its end removed. */
const filters = fc
  .tuple(
    topic,
    fc.array(fc.tuple(fc.nat(7), fc.constantFrom('+', '#', 'gw-1', 'org-1')), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([text, changes, isShared]) => {
    const levels = text.split('/');
    for (const [at, level] of changes) {
      if (level === '#') levels.splice(at, levels.length, '#');
      else if (at < levels.length) levels[at] = level;
    }
    return (isShared ? '$share/g/' : '') + levels.join('/');
  });

describe('subscriptions at the broker', () => {
  const topics = fc.sample(topic, { numRuns: 1000, seed: 32 });

  for (const [who, { client, isTheirs }] of Object.entries(listeners)) {
    test(`${who} is granted no filter that matches one of ${topics.length} topics of others`, () => {
      let granted = 0;
      for (const filter of fc.sample(filters, { numRuns: 1000, seed: 33 })) {
        if (!maySubscribe(client, filter)) continue;
        granted++;
        const inner = filter.replace(/^\$share\/g\//, '');
        for (const topic of topics) if (matches(inner, topic)) assert.match(topic, isTheirs, filter);
      }
      assert.equal(granted > 0, who !== 'a member without organizations', `${granted} filters were granted`);
    });
  }

  test('each of two gateways publishes below its own serial only', () => {
    const serials = ['gw-1', 'gw-2'];
    let granted = 0;
    for (const topic of topics) {
      for (const serial of serials) {
        if (!mayPublish({ kind: 'gateway', serial }, topic)) continue;
        granted++;
        assert.equal(topic.split('/')[1], serial, topic);
        assert.doesNotMatch(
          topic,
          listeners['a gateway']!.isTheirs,
          'gw-1 cannot publish on topics of the platform for gw-1',
        );
      }
    }
    assert.ok(granted > 0);
  });
});

test('five hundred strangers with valid tokens and the client ids of others disconnect nobody', async () => {
  const cloud = await openCloud();
  const { broker, url, messages } = await openBroker(cloud);
  try {
    const owner = await cloud.person();
    const org = await cloud.organization(owner);
    const [victim, attacker] = [await cloud.claim(owner, org), await cloud.claim(owner, org)];
    const { serial } = victim;
    const inside = await connectGateway(url, victim, cloud.clock.now());
    let losses = 0;
    inside.on('close', () => losses++);
    for (let round = 0; round < 25; round++) {
      const tries = Array.from({ length: 20 }, (_, at) => {
        const clientId = at % 2 === 0 ? serial : `${serial}-${at}`;
        return assert.rejects(connectGateway(url, attacker, cloud.clock.now(), { clientId, clean: at % 3 > 0 }), {
          code: 5,
        });
      });
      await Promise.all([...tries, inside.publishAsync(stateTopic(serial), '{}', { qos: 1 })]);
    }
    assert.deepEqual([losses, messages.length, inside.connected], [0, 25, true]);
    await inside.endAsync();
  } finally {
    await broker.close();
    await cloud.close();
  }
});

describe('while the database is unavailable', () => {
  let cloud: TestCloud;
  let owner: Person;
  let gateway: GatewaySigner;
  before(async () => {
    cloud = await openCloud();
    owner = await cloud.person();
    gateway = await cloud.claim(owner, await cloud.organization(owner));
  });
  after(() => cloud.close());

  async function withoutDatabase(work: () => Promise<void>): Promise<void> {
    const { db } = cloud.store;
    const fail = (): never => {
      throw new Error('the database is unavailable');
    };
    cloud.store.db = new Proxy(db, { get: fail });
    try {
      await work();
    } finally {
      cloud.store.db = db;
    }
  }

  test('an external broker gets "deny" with 200, and "allow" afterwards', async () => {
    const { serial } = gateway;
    const password = await brokerToken(gateway, cloud.clock.now());
    const questions = {
      auth: { username: serial, clientid: serial, password },
      acl: { username: serial, action: 'publish', topic: stateTopic(serial) },
    };
    const ask = async (): Promise<unknown[]> => {
      const headers = { authorization: `Bearer ${internalToken}` };
      const answers = [];
      for (const [path, body] of Object.entries(questions)) {
        const reply = await cloud.call('POST', `/internal/mqtt/${path}`, { body, headers });
        answers.push([reply.status, reply.body.result]);
      }
      return answers;
    };
    const allow = [200, 'allow'];
    const deny = [200, 'deny'];
    assert.deepEqual(await ask(), [allow, allow]);
    await withoutDatabase(async () => assert.deepEqual(await ask(), [deny, deny]));
    assert.deepEqual(await ask(), [allow, allow]);
  });

  test('no new client is admitted, and connected clients stay and keep publishing', async () => {
    const { broker, url, messages } = await openBroker(cloud);
    try {
      const inside = await connectGateway(url, gateway, cloud.clock.now());
      await withoutDatabase(async () => {
        const { serial } = gateway;
        for (let tries = 0; tries < 10; tries++) {
          const clientId = `${serial}-${tries}`;
          await assert.rejects(connectGateway(url, gateway, cloud.clock.now(), { clientId }), { code: 5 });
        }
        await inside.publishAsync(stateTopic(serial), '{}', { qos: 1 });
      });
      assert.equal(messages.length, 1);
      assert.ok(inside.connected);
      await inside.endAsync();
    } finally {
      await broker.close();
    }
  });
});
