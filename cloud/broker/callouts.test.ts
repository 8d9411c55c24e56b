import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brokerToken } from '#test/cloud/gateway-client.ts';
import { internalToken, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { type GatewaySigner, p256 } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';
import { memberClientIds } from './testing/trial.ts';

const form = 'application/x-www-form-urlencoded';

describe('the callouts of a broker', () => {
  let cloud: TestCloud;
  let ada: Person;
  let org: string;
  let gateway: GatewaySigner;
  before(async () => {
    cloud = await openCloud();
    ada = await cloud.person();
    org = await cloud.organization(ada);
    gateway = await cloud.claim(ada, org);
  });
  after(() => cloud.close());

  const secret = { authorization: `Bearer ${internalToken}` };
  const json = (path: string, body: unknown) => cloud.call('POST', `/internal/mqtt/${path}`, { body, headers: secret });
  const asForm = (path: string, fields: Record<string, string>) =>
    cloud.call('POST', `/internal/mqtt/${path}?token=${encodeURIComponent(internalToken)}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': form },
    });
  const password = () => brokerToken(gateway, cloud.clock.now());

  test('without the secret every callout gets 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${ada.token}` }]) {
      assert.equal((await cloud.call('POST', '/internal/mqtt/auth', { body: {}, headers })).status, 401);
    }
    assert.equal((await cloud.call('POST', '/internal/mqtt/acl?token=wrong', { body: {} })).status, 401);
  });

  test('a broker with a wrong secret is logged, once a minute', async (t) => {
    cloud.clock.advance(60_000);
    const warn = t.mock.method(cloud.app.log, 'warn');
    for (let i = 0; i < 3; i++) await cloud.call('POST', '/internal/mqtt/auth?token=another', { body: {} });
    assert.equal(warn.mock.callCount(), 1);
    assert.match(String(warn.mock.calls[0]!.arguments[1]), /wrong INTERNAL_TOKEN/);
  });

  test('JSON is answered in JSON, a form in one word', async () => {
    const { serial } = gateway;
    const inJson = await json('auth', {
      clientid: serial,
      username: serial,
      password: await password(),
      peerhost: '::1',
    });
    assert.deepEqual([inJson.status, inJson.body], [200, { result: 'allow' }]);
    const inForm = await asForm('auth', {
      client_id: serial,
      username: serial,
      password: await password(),
      vhost: '/',
    });
    assert.deepEqual([inForm.status, inForm.body], [200, 'allow']);
    assert.match(inForm.headers['content-type']!, /^text\/plain/);
  });

  test('the client id of a member contains their identity id', async () => {
    const enter = async (client_id: string) =>
      (await asForm('auth', { client_id, username: ada.id, password: ada.token, vhost: '/' })).body;
    const { own, foreign } = memberClientIds(ada.id, [gateway.serial, (await cloud.person()).id]);
    for (const clientId of own) assert.equal(await enter(clientId), 'allow', clientId);
    for (const clientId of foreign) assert.equal(await enter(clientId), 'deny', clientId);
  });

  test('a name that is a prefix or suffix of another cannot use the client id of the other', async () => {
    const [prefix, ...rest] = gateway.serial.split('-');
    for (const serial of [prefix!, rest.join('-')]) {
      const thief = p256(serial);
      await cloud.claim(ada, org, thief);
      const enter = async (clientid: string) =>
        (await json('auth', { clientid, username: serial, password: await brokerToken(thief, cloud.clock.now()) }))
          .body;
      assert.deepEqual(await enter(serial), { result: 'allow' });
      assert.deepEqual(await enter(gateway.serial), { result: 'deny' });
    }
    assert.deepEqual(
      (await json('auth', { clientid: gateway.serial, username: gateway.serial, password: await password() })).body,
      { result: 'allow' },
    );
  });

  test('every invalid callout gets 200 with deny', async () => {
    const { serial } = gateway;
    const token = await password();
    const stranger = p256();
    for (const callout of [
      {},
      { username: serial },
      { username: serial, clientid: serial, password: 'x' },
      { username: serial, clientid: 'else', password: token },
      {
        username: stranger.serial,
        clientid: stranger.serial,
        password: await brokerToken(stranger, cloud.clock.now()),
      },
      { username: serial, clientid: serial, password: await brokerToken(gateway, cloud.clock.now() - 7_200_000) },
      { username: ['a'], clientid: { x: 1 }, password: 7 },
      { username: '#', clientid: '#', password: token },
    ]) {
      const { status, body } = await json('auth', callout);
      assert.deepEqual([status, body], [200, { result: 'deny' }], JSON.stringify(callout));
    }
    for (const body of ['', '{', '[]', 'null', '7']) {
      const reply = await cloud.call('POST', '/internal/mqtt/auth', {
        body,
        headers: { ...secret, 'content-type': 'application/json' },
      });
      assert.deepEqual([reply.status, reply.body], [200, { result: 'deny' }], body);
    }
    const odd = await cloud.call('POST', '/internal/mqtt/acl', {
      body: 'x',
      headers: { ...secret, 'content-type': 'text/xml' },
    });
    assert.equal(odd.body.result, 'deny');
  });

  test('EMQX asks about topics and filters', async () => {
    const { serial } = gateway;
    for (const { action, topic, result } of [
      { action: 'publish', topic: `gateways/${serial}/state/json/v1`, result: 'allow' },
      { action: 'publish', topic: 'gateways/other/state/json/v1', result: 'deny' },
      { action: 'publish', topic: `control/${serial}/battery/x/ems/acks`, result: 'allow' },
      { action: 'publish', topic: `control/${serial}/battery/x/ems/commands`, result: 'deny' },
      { action: 'subscribe', topic: `control/${serial}/battery/+/ems/commands`, result: 'allow' },
      { action: 'subscribe', topic: '#', result: 'deny' },
      { action: 'subscribe', topic: '$SYS/#', result: 'deny' },
      { action: 'erase', topic: `gateways/${serial}/x`, result: 'deny' },
    ]) {
      assert.equal(
        (await json('acl', { username: serial, clientid: serial, action, topic })).body.result,
        result,
        topic,
      );
    }
    const member = async (topic: string) =>
      (await json('acl', { username: ada.id, action: 'subscribe', topic })).body.result;
    assert.equal(await member(`orgs/${org}/#`), 'allow');
    assert.equal(await member('orgs/org-other/#'), 'deny');
    assert.equal(await member('orgs/+/#'), 'deny');
  });

  test('a gateway gets the deployment id soon after its broker asked whether it may subscribe to it', async (t) => {
    const { serial } = gateway;
    const received: string[] = [];
    t.mock.method(cloud.transport, 'publish', (topic: string, payload: string) => {
      assert.equal(topic, `control/${serial}/platform`);
      return received.push(payload) > 0;
    });
    const acl = (filter: object) => ({ username: serial, ...filter });
    await json('acl', acl({ action: 'subscribe', topic: `control/${serial}/battery/+/ems/commands` }));
    await json('acl', acl({ action: 'publish', topic: `control/${serial}/platform` }));
    await json('acl', acl({ action: 'subscribe', topic: `control/${serial}/platform` }));
    await asForm('acl', {
      ...acl({}),
      vhost: '/',
      resource: 'topic',
      permission: 'read',
      routing_key: `control.${serial}.#`,
    });
    await until(() => received.length > 0);
    assert.equal(received.length, 1);
    assert.match(JSON.parse(received[0]!).deployment_id, /^urn:ohmstead:[0-9a-f-]{36}$/);
  });

  test('RabbitMQ asks about vhosts, exchanges, queues and routing keys', async () => {
    const { serial } = gateway;
    const ask = async (fields: Record<string, string>) =>
      (await asForm('acl', { username: serial, vhost: '/', ...fields })).body;
    assert.equal(await ask({ ip: '127.0.0.1' }), 'allow');
    assert.equal(await ask({ resource: 'exchange', name: 'amq.topic', permission: 'write' }), 'allow');
    assert.equal(await ask({ resource: 'exchange', name: 'amq.fanout', permission: 'write' }), 'deny');
    assert.equal(
      await ask({ resource: 'queue', name: `mqtt-subscription-${serial}qos1`, permission: 'configure' }),
      'allow',
    );
    assert.equal(await ask({ resource: 'queue', name: 'ohmstead.ingest', permission: 'read' }), 'deny');
    const topic = (permission: string, routing_key: string) =>
      ask({ resource: 'topic', name: 'amq.topic', permission, routing_key });
    assert.equal(await topic('write', `gateways.${serial}.state.json.v1`), 'allow');
    assert.equal(await topic('write', 'gateways.other.state.json.v1'), 'deny');
    assert.equal(await topic('read', `control.${serial}.battery.*.ems.commands`), 'allow');
    assert.equal(await topic('read', '#'), 'deny');
    assert.equal((await asForm('acl', { username: 'ohm-unclaimed', vhost: '/' })).body, 'deny');
  });
});

test('callouts of a broker are not rate limited when all gateways reconnect at once', async () => {
  const cloud = await openCloud({ env: { RATE_ORDINARY: '2' } });
  try {
    const headers = { authorization: `Bearer ${internalToken}` };
    for (let asked = 0; asked < 5; asked++) {
      const { status, body } = await cloud.call('POST', '/internal/mqtt/acl', { body: {}, headers });
      assert.deepEqual([status, body], [200, { result: 'deny' }]);
    }
  } finally {
    await cloud.close();
  }
});
