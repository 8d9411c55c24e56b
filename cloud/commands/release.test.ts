import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commandFilters } from '#contract/topics.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';

type Home = Awaited<ReturnType<TestCloud['home']>>;
type Heard = { topic: string; payload: { command_id?: string; action?: string; timestamp: number } };

for (const { engine, skip } of engines) {
  describe(`releasing on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let org: string;
    let site: string;
    let gateway: GatewaySigner;
    let client: GatewayClient;
    let ders: { id: string; name: string }[];
    const heard: Heard[] = [];
    before(async () => {
      cloud = await openCloud({ engine });
      await cloud.start();
      const { device, ...home } = await cloud.home();
      ({ owner: ada, org, site, gateway } = home);
      const house = { hardware_id: 'M-1', device_type: 'energy_meter', ders: [{ name: 'grid', type: 'meter' }] };
      const meter = await cloud.provision(ada, site, gateway.serial, house);
      ders = [...device.ders, ...meter.ders];
      client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
      client.on('message', (topic, payload) => heard.push({ topic, payload: JSON.parse(payload.toString()) }));
      await client.subscribeAsync(commandFilters(gateway.serial));
    });
    after(async () => {
      await client.endAsync(true);
      await cloud.close();
    });

    const derId = (name: string): string => ders.find((der) => der.name === name)!.id;
    const topicOf = (kind: string): string => `control/${gateway.serial}/${kind}/INV-1/ems`;
    const release = (path: string, as = ada, headers = {}) => cloud.call('POST', `${path}/release`, { as, headers });
    const newest = async (name: string) =>
      (await cloud.call('GET', `/ders/${derId(name)}/commands?limit=1`, { as: ada })).body[0];

    /** A command that the gateway has applied. */
    async function commanded(name: 'battery' | 'pv'): Promise<string> {
      cloud.clock.advance(1000);
      const body = { power_w: 1000, ttl_s: 600 };
      const { body: command } = await cloud.call('POST', `/ders/${derId(name)}/commands`, { as: ada, body });
      await until(() => heard.some(({ payload }) => payload.command_id === command.id));
      await tell(name, command.id, 'applied');
      return command.id;
    }

    const tell = (kind: string, command_id: string, status: string) =>
      client.publishAsync(`${topicOf(kind)}/acks`, JSON.stringify({ command_id, status }), { qos: 1 });

    test('the gateway is notified, and the status it reports is stored', async () => {
      const id = await commanded('battery');
      heard.length = 0;
      cloud.clock.advance(1000);
      const { status, body } = await release(`/ders/${derId('battery')}`);
      assert.equal(status, 202);
      assert.deepEqual([body.der_id, body.command.id, body.command.status], [derId('battery'), id, 'applied']);
      await until(() => heard.length === 1);
      const payload = { action: 'release', timestamp: cloud.clock.now() };
      assert.deepEqual(heard, [{ topic: `${topicOf('battery')}/commands`, payload }]);
      await tell('battery', id, 'released');
      assert.equal((await newest('battery')).status, 'released');
    });

    test('a site releases every DER that takes commands, held or not', async () => {
      const id = await commanded('pv');
      heard.length = 0;
      const { status, body } = await release(`/sites/${site}`);
      assert.equal(status, 202);
      const told = body.map(({ der_id, command }: { der_id: string; command?: { id: string } }) => [
        der_id,
        command?.id,
      ]);
      assert.deepEqual(told, [
        [derId('pv'), id],
        [derId('battery'), undefined],
      ]);
      await until(() => heard.length === 2);
      assert.deepEqual(heard.map(({ topic }) => topic).toSorted(), [
        `${topicOf('battery')}/commands`,
        `${topicOf('pv')}/commands`,
      ]);
    });

    test('the audit records who released which DER', async () => {
      const id = await commanded('battery');
      heard.length = 0;
      await release(`/ders/${derId('battery')}`);
      await until(() => heard.length === 1);
      const { body } = await cloud.call('GET', `/organizations/${org}/audit?limit=1`, { as: ada });
      const { actor, action, object, details } = body[0];
      assert.deepEqual(
        [actor, action, object, details],
        [ada.id, 'der.released', derId('battery'), { command_id: id }],
      );
    });

    test('a retry gets the same answer and sends nothing more to the gateway', async () => {
      heard.length = 0;
      const headers = { 'idempotency-key': 'once' };
      const first = await release(`/ders/${derId('pv')}`, ada, headers);
      const second = await release(`/ders/${derId('pv')}`, ada, headers);
      assert.deepEqual([second.status, second.body], [202, first.body]);
      const body = { power_w: 5 };
      const ask = () =>
        cloud.call('POST', `/ders/${derId('pv')}/commands`, { as: ada, body, headers: { 'idempotency-key': 'two' } });
      const [command, again] = [await ask(), await ask()];
      assert.deepEqual([again.status, again.body.id], [202, command.body.id]);
      await until(() => heard.some(({ payload }) => payload.command_id === command.body.id));
      assert.equal(heard.length, 2, 'one release, one command');
    });

    test('a meter cannot be released, and a viewer cannot release anything', async () => {
      const meter = await release(`/ders/${derId('grid')}`);
      assert.deepEqual([meter.status, meter.body.detail], [422, 'A DER of type meter takes no commands.']);
      const viewer = await cloud.member(ada, org, 'viewer');
      for (const path of [`/ders/${derId('battery')}`, `/sites/${site}`]) {
        assert.equal((await release(path, viewer)).status, 403);
      }
    });

    for (const { says, path } of [
      { says: 'a device that is removed is let go first', path: ({ device }: Home) => `/devices/${device.id}` },
      { says: 'so is all of a site that is removed', path: ({ site }: Home) => `/sites/${site}?cascade=true` },
    ]) {
      test(says, async () => {
        const home = await cloud.home();
        const battery = home.device.ders.find(({ name }: { name: string }) => name === 'battery').id;
        const told: Heard['payload'][] = [];
        const theirs = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
        theirs.on('message', (_, payload) => told.push(JSON.parse(payload.toString())));
        await theirs.subscribeAsync(commandFilters(home.gateway.serial));
        await cloud.call('POST', `/ders/${battery}/commands`, { as: home.owner, body: { power_w: -5000 } });
        await until(() => told.length === 1);
        assert.equal((await cloud.call('DELETE', path(home), { as: home.owner })).status, 204);
        await until(() => told.length === 2);
        assert.equal(told[1]!.action, 'release');
        await theirs.endAsync(true);
      });
    }

    test('a device whose gateway went elsewhere is left out', async () => {
      const eve = await cloud.person();
      cloud.clock.advance(1000);
      await cloud.claim(eve, await cloud.organization(eve), gateway);
      const { status, body } = await release(`/sites/${site}`);
      assert.deepEqual([status, body], [202, []]);
      assert.equal((await release(`/ders/${derId('battery')}`)).status, 409);
    });

    test('a device whose gateway came back is orphaned until it is provisioned, and the answer says so', async () => {
      cloud.clock.advance(1000);
      await cloud.claim(ada, org, gateway);
      const path = `/ders/${derId('battery')}/commands`;
      const command = () => cloud.call('POST', path, { as: ada, body: { power_w: 500 } });
      const { status, body } = await command();
      assert.equal(status, 409);
      assert.match(body.detail, /^This device is orphaned: .+ Claim the gateway, and provision the device again\.$/);
      await cloud.provision(ada, site, gateway.serial);
      assert.equal((await command()).status, 202);
    });
  });
}
