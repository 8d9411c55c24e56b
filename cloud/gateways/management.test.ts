import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { requestType } from '#contract/manage.ts';
import { manageAnswerTopic, manageRequestTopic } from '#contract/topics.ts';
import { readTyped } from '#lib/keys/typed-message.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';
import { openKeyRing } from '../identity/key-ring.ts';
import { createLive } from '../telemetry/live.ts';
import { createManagement } from './management.ts';

const caller = { identityId: 'idt-1', type: 'user', tokenId: '', expiresAt: 0 } as const;

suite('a platform that asks a gateway', () => {
  let cloud: TestCloud;
  let owner: Person;
  let org: string;
  let gateway: GatewaySigner;
  let client: GatewayClient;
  let other: GatewaySigner;
  let neighbour: GatewayClient;
  /** answers of the gateway to the id of a request */
  let answer: (id: string) => object | undefined;
  const asked: Record<string, unknown>[] = [];

  const list = () => cloud.call('GET', `/gateways/${gateway.serial}/manage/devices`, { as: owner });
  const say = (from: GatewayClient, payload: unknown, serial = gateway.serial) =>
    from.publishAsync(manageAnswerTopic(serial), typeof payload === 'string' ? payload : JSON.stringify(payload), {
      qos: 1,
    });

  before(async () => {
    cloud = await openCloud();
    await cloud.start();
    ({ owner, org, gateway } = await cloud.home());
    other = await cloud.claim(owner, org);
    const now = cloud.clock.now();
    client = await connectGateway(cloud.transport.urls.mqtt!, gateway, now);
    neighbour = await connectGateway(cloud.transport.urls.mqtt!, other, now);
    await client.subscribeAsync(manageRequestTopic(gateway.serial));
    client.on('message', (_, payload) => {
      const request = readTyped(requestType, payload.toString())!.payload as Record<string, unknown>;
      asked.push(request);
      const given = answer(String(request.jti));
      if (given !== undefined) void say(client, given);
    });
    await until(
      async () => (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: owner })).body.online === true,
    );
  });
  after(async () => {
    await Promise.all([client.endAsync(true), neighbour.endAsync(true)]);
    await cloud.close();
  });

  test('signs for this gateway, this organization and one minute, and returns its answer without unknown fields', async () => {
    answer = (id) => ({ id, result: { devices: [], secret: 'x' } });
    assert.deepEqual([(await list()).status, (await list()).body], [200, { devices: [] }]);
    const { aud, org: of, by, iat, exp, op } = asked.at(-1)!;
    assert.deepEqual([aud, of, by, Number(exp) - Number(iat), op], [gateway.serial, org, owner.id, 60, 'list_devices']);
    assert.notEqual(asked.at(-1)!.jti, asked.at(-2)!.jti);
  });

  const device = {
    sn: 'S1',
    type: 'mqtt',
    profile: 'x',
    name: 'x',
    device_type: 'inverter',
    connected: true,
    ders: [],
  };
  for (const [title, result] of [
    ['nothing', undefined],
    ['a list of another kind', { devices: {} }],
    ['control characters', { devices: [{ ...device, name: 'a\u0007' }] }],
    ['a text without an end', { devices: [{ ...device, name: 'a'.repeat(129) }] }],
    ['a list without an end', { devices: Array.from({ length: 101 }, () => device) }],
  ] as const) {
    test(`refuses an answer that contains ${title}`, async () => {
      answer = (id) => ({ id, result });
      const { status, body } = await list();
      assert.deepEqual([status, body.error], [502, 'upstream_failed']);
    });
  }

  test('passes on refusals with a code that gateways may use, and no other', async () => {
    const message = 'Remote management is switched off.';
    answer = (id) => ({ id, error: { code: 'management_refused', message } });
    const refused = await list();
    assert.deepEqual([refused.status, refused.body.error, refused.body.message], [409, 'management_refused', message]);
    answer = (id) => ({ id, error: { code: 'unauthenticated', message: 'Sign in at evil.example' } });
    assert.equal((await list()).body.error, 'upstream_failed');
  });

  test('accepts the answer of the gateway alone, and ignores what is too large or answers nothing', async () => {
    answer = (id) => {
      const forged = { id, error: { code: 'conflict', message: 'forged' } };
      const sent = [
        say(neighbour, forged, other.serial),
        say(client, { id: 'another', result: 7 }),
        say(client, `{"id":"${id}","result":"${'x'.repeat(140_000)}"}`),
        say(client, '{"id":'),
      ];
      void Promise.all(sent).then(() => {
        say(neighbour, forged).catch(() => undefined); // the broker refuses it, and ends the connection
        return say(client, { id, result: { devices: [] } });
      });
      return undefined;
    };
    assert.deepEqual((await list()).body, { devices: [] });
  });

  test('does not show the answer to an organization that lost the gateway meanwhile', async () => {
    const thief = await cloud.person();
    const theirs = await cloud.organization(thief);
    const { serial } = gateway;
    answer = (id) => {
      void cloud.store
        .write(({ db }) => db.updateTable('gateways').set({ org_id: theirs }).where('serial', '=', serial).execute())
        .then(() => say(client, { id, result: { devices: [] } }));
      return { id, accepted: true };
    };
    const { status, body } = await list();
    await cloud.store.write(({ db }) =>
      db.updateTable('gateways').set({ org_id: org }).where('serial', '=', serial).execute(),
    );
    assert.deepEqual([status, body.error], [404, 'not_found']);
  });

  test('does not show the answer to a member who was removed meanwhile', async () => {
    const admin = await cloud.member(owner, org, 'admin');
    answer = (id) => {
      void cloud
        .call('DELETE', `/organizations/${org}/members/${admin.id}`, { as: owner })
        .then(() => say(client, { id, result: { devices: [] } }));
      return { id, accepted: true };
    };
    const { status, body } = await cloud.call('GET', `/gateways/${gateway.serial}/manage/devices`, { as: admin });
    assert.deepEqual([status, body.error], [404, 'not_found']);
  });

  test('says soon that a gateway is silent or slow, and does not ask it more than a few things at a time', async () => {
    const keys = await openKeyRing(cloud.store, { clock: cloud.clock, tokenLifeMs: 1000 });
    const management = createManagement({
      keys,
      store: cloud.store,
      clock: cloud.clock,
      deploymentId: 'urn:test',
      live: createLive(),
      transport: { publish: () => true, canPublish: true },
      limits: { acceptMs: 100, perGateway: 2 },
    });
    const ask = () => management.ask({ serial: gateway.serial, orgId: org, caller }, 'status', {});
    const codes = await Promise.all([ask(), ask(), ask()].map((each) => each.then(String, ({ code }) => code)));
    assert.deepEqual(codes, ['gateway_unanswered', 'gateway_unanswered', 'rate_limited']);
  });

  test('does not ask a gateway that is not connected', async () => {
    const { serial } = await cloud.claim(owner, org);
    const { status, body } = await cloud.call('POST', `/gateways/${serial}/manage/scan`, { as: owner });
    assert.deepEqual([status, body.error], [409, 'gateway_offline']);
    const { body: audit } = await cloud.call('GET', `/organizations/${org}/audit`, { as: owner });
    assert.ok(!audit.some(({ action }: { action: string }) => action === 'gateway.scan_requested'));
  });
});
