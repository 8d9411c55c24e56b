import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, replacedWords } from '#contract/cloud/commands.ts';
import { gatewayAway } from '#contract/cloud/orders.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { ed25519, type GatewaySigner } from '#test/cloud/people.ts';
import { until } from '#test/until.ts';

onEachEngine('commands', async (cloud) => {
  await cloud.start();
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org);

  /** The id of a battery behind a gateway of its own. */
  async function battery(hardware_id: string): Promise<{ gateway: GatewaySigner; der: string }> {
    const gateway = await cloud.claim(ada, org);
    const { ders } = await cloud.provision(ada, site, gateway.serial, { hardware_id });
    return { gateway, der: ders.find(({ name }: { name: string }) => name === 'battery').id };
  }

  const command = (der: string) =>
    cloud.call('POST', `/ders/${der}/commands`, { as: ada, body: { power_w: 1000, ttl_s: 600 } });
  const statusOf = async (der: string): Promise<string> =>
    (await cloud.call('GET', `/ders/${der}/commands`, { as: ada })).body[0].status;

  /** Reports a command status as a gateway; it is handled when this returns. */
  async function acknowledge(gateway: GatewaySigner, hardwareId: string, command_id: string): Promise<void> {
    const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
    const topic = `control/${gateway.serial}/battery/${hardwareId}/ems/acks`;
    await client.publishAsync(topic, JSON.stringify({ command_id, status: 'applied' }), { qos: 1 });
    await client.endAsync();
  }

  test('only the gateway of a command can report its status', async () => {
    const asked = await battery('B-1');
    const neighbour = await battery('B-2');
    const { body } = await command(asked.der);
    await until(async () => (await statusOf(asked.der)) === 'sent');
    await acknowledge(neighbour.gateway, 'B-1', body.id);
    assert.equal(await statusOf(asked.der), 'sent');
    await acknowledge(asked.gateway, 'B-1', body.id);
    assert.equal(await statusOf(asked.der), 'applied');
  });

  test('members see by name who sent a command', async () => {
    const eva = await cloud.person(undefined, ed25519(), 'Eva');
    await cloud.call('POST', `/invitations/${await cloud.invite(ada, org, 'operator')}/accept`, { as: eva });
    const { der } = await battery('B-9');
    const sent = await cloud.call('POST', `/ders/${der}/commands`, { as: eva, body: { power_w: 1000 } });
    const [listed] = (await cloud.call('GET', `/ders/${der}/commands`, { as: ada })).body;
    for (const { created_by, created_by_name } of [sent.body, listed])
      assert.deepEqual([created_by, created_by_name], [eva.id, 'Eva']);
    const [entry] = (await cloud.call('GET', `/organizations/${org}/audit?limit=1`, { as: ada })).body;
    assert.deepEqual([entry.actor_name, entry.object_name], ['Eva', 'B-9: battery']);
  });

  test('a replaced command ends when the newer one is applied', async () => {
    const { gateway, der } = await battery('B-7');
    const { body: first } = await command(der);
    cloud.clock.advance(1000);
    const { body: second } = await command(der);
    for (const { id } of [first, second]) await acknowledge(gateway, 'B-7', id);
    const { body: listed } = await cloud.call('GET', `/ders/${der}/commands`, { as: ada });
    assert.deepEqual(
      listed.map(({ id, status }: Command) => [id, status]),
      [
        [second.id, 'applied'],
        [first.id, 'expired'],
      ],
    );
    assert.deepEqual(listed[1].history.at(-1).message, replacedWords);
  });

  test('a command to an offline gateway says that it is not delivered', async () => {
    const { gateway, der } = await battery('B-10');
    const sentStep = async (): Promise<Command['history'][number]> => {
      const { body } = await command(der);
      await until(async () => (await statusOf(der)) === 'sent');
      return (await cloud.call('GET', `/ders/${der}/commands`, { as: ada })).body.find(
        ({ id }: Command) => id === body.id,
      ).history[1];
    };
    assert.equal((await sentStep()).message, gatewayAway);
    const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
    const isOnline = async () => (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: ada })).body.online;
    await until(isOnline);
    cloud.clock.advance(1000);
    assert.equal((await sentStep()).message, undefined);
    await client.endAsync();
  });

  test('an unanswered command expires with a message', async () => {
    const { der } = await battery('B-8');
    await command(der);
    cloud.clock.advance(601_000);
    await until(async () => (await statusOf(der)) === 'expired');
    const { body: listed } = await cloud.call('GET', `/ders/${der}/commands`, { as: ada });
    assert.equal(listed[0].history.at(-1).message, 'The gateway did not answer.');
  });

  test('a battery whose gateway went elsewhere is neither commanded nor released', async () => {
    const { gateway, der } = await battery('B-3');
    const bob = await cloud.person();
    await cloud.claim(bob, await cloud.organization(bob), gateway);
    assert.equal((await command(der)).status, 409);
    assert.equal((await cloud.call('POST', `/ders/${der}/release`, { as: ada })).status, 409);
    assert.deepEqual((await cloud.call('GET', `/ders/${der}/commands`, { as: ada })).body, []);
  });

  test('while the broker cannot be reached, commands and releases are refused, and nothing is recorded', async (t) => {
    const { der } = await battery('B-4');
    t.mock.getter(cloud.transport, 'canPublish', () => false);
    for (const reply of [
      await command(der),
      await cloud.call('POST', `/ders/${der}/release`, { as: ada }),
      await cloud.call('POST', `/sites/${site}/release`, { as: ada }),
    ]) {
      assert.deepEqual([reply.status, reply.body.error, reply.headers['retry-after']], [503, 'unavailable', '2']);
    }
    assert.deepEqual((await cloud.call('GET', `/ders/${der}/commands`, { as: ada })).body, []);
    const { body: audit } = await cloud.call('GET', `/organizations/${org}/audit`, { as: ada });
    assert.ok(
      !audit.some(
        ({ action, object }: { action: string; object: string }) => action === 'der.released' && object === der,
      ),
    );
  });

  test('a command that the broker did not accept is failed, not sent', async (t) => {
    const { der } = await battery('B-5');
    t.mock.method(cloud.transport, 'publish', () => false);
    await command(der);
    assert.equal(
      await until(
        () => statusOf(der),
        (status) => status !== 'queued',
      ),
      'failed',
    );
  });

  test('the release of devices that a gateway left behind waits for the broker', async (t) => {
    const { gateway, der } = await battery('B-6');
    await command(der);
    await until(async () => (await statusOf(der)) === 'sent');
    let isReached = false;
    const told: string[] = [];
    t.mock.method(cloud.transport, 'publish', (topic: string, payload: string) => {
      if (isReached && payload.includes('"action":"release"')) told.push(topic);
      return isReached;
    });
    const bob = await cloud.person();
    cloud.clock.advance(1000);
    await cloud.claim(bob, await cloud.organization(bob), gateway);
    isReached = true;
    await until(() => told.length > 0);
    assert.deepEqual(told, [`control/${gateway.serial}/battery/B-6/ems/commands`]);
  });
});
