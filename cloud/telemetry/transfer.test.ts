import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandTopic } from '#contract/topics.ts';
import { readEvents } from '#test/cloud/event-reader.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import type { Person } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';

onEachEngine('a gateway that changes hands', async (cloud) => {
  const url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  await cloud.start();
  const tick = (): number => {
    cloud.clock.advance(1000);
    return cloud.clock.now();
  };
  const emptyHome = async () => {
    const owner = await cloud.person();
    const org = await cloud.organization(owner);
    return { owner, org, site: await cloud.site(owner, org) };
  };
  type Home = Awaited<ReturnType<typeof emptyHome>>;
  const connected = async (gateway: Parameters<typeof connectGateway>[1]) =>
    connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
  const powersOf = async ({ owner, site }: Home, kind: string): Promise<number[]> => {
    const { body } = await cloud.call('GET', `/sites/${site}/telemetry?resolution=1m`, { as: owner });
    const series = body.series.find((each: { kind: string }) => each.kind === kind);
    return series?.points.map(({ W }: { W: number }) => W) ?? [];
  };
  const follow = (path: string, { token }: Person) => readEvents(`${url}${path}`, { authorization: `Bearer ${token}` });

  test('leaves the history of its devices at the site, beside that of the next gateway', async () => {
    const ada = await cloud.home();
    const old = ada.gateway;
    const first = await connected(old);
    await first.report('INV-1', 'pv', { timestamp: tick(), W: -1000 });
    await first.endAsync(true);
    await cloud.call('DELETE', `/gateways/${old.serial}`, { as: ada.owner });
    cloud.clock.advance(120_000);

    const next = await cloud.claim(ada.owner, ada.org);
    await cloud.provision(ada.owner, ada.site, next.serial);
    const second = await connected(next);
    await second.report('INV-1', 'pv', { timestamp: tick(), W: -2000 });
    assert.deepEqual(await powersOf(ada, 'pv'), [-1000, -2000]);
    await second.endAsync(true);
  });

  test('sends its new owner nothing that it measured for the old one', async () => {
    const [ada, bob] = [await cloud.home(), await emptyHome()];
    const { gateway } = ada;
    const waiting = tick();
    cloud.clock.advance(60_000);
    await cloud.claim(bob.owner, bob.org, gateway);
    await cloud.provision(bob.owner, bob.site, gateway.serial);
    cloud.clock.advance(120_000);
    const client = await connected(gateway);
    await client.report('INV-1', 'pv', { timestamp: waiting, W: -1 });
    await client.report('INV-1', 'pv', { timestamp: tick(), W: -2 });
    assert.deepEqual(await powersOf(bob, 'pv'), [-2]);
    await client.endAsync(true);
  });

  test('sends its first owner the readings from before the claim', async () => {
    const ada = await emptyHome();
    const waiting = tick();
    cloud.clock.advance(120_000);
    const gateway = await cloud.claim(ada.owner, ada.org);
    await cloud.provision(ada.owner, ada.site, gateway.serial);
    const client = await connected(gateway);
    await client.report('INV-1', 'pv', { timestamp: waiting, W: -1 });
    assert.deepEqual(await powersOf(ada, 'pv'), [-1]);
    await client.endAsync(true);
  });

  test('sends an owner the readings that waited between a release and the next claim, even if it had other owners before', async () => {
    const [installer, ada] = [await cloud.home(), await emptyHome()];
    const { gateway } = installer;
    cloud.clock.advance(60_000);
    await cloud.claim(ada.owner, ada.org, gateway);
    const waiting = tick();
    cloud.clock.advance(60_000);
    await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada.owner });
    cloud.clock.advance(60_000);
    await cloud.claim(ada.owner, ada.org, gateway);
    await cloud.provision(ada.owner, ada.site, gateway.serial);
    const client = await connected(gateway);
    await client.report('INV-1', 'pv', { timestamp: waiting, W: -1 });
    await client.report('INV-1', 'pv', { timestamp: waiting - 30_000, W: -2 }); // measured for the installer
    assert.deepEqual(await powersOf(ada, 'pv'), [-1]);
    await client.endAsync(true);
  });

  test('can be transferred again while a command from its first time there is active', async () => {
    const [ada, bob] = [await cloud.home(), await emptyHome()];
    const { gateway, device } = ada;
    const battery = device.ders.find(({ name }: { name: string }) => name === 'battery').id;
    await cloud.call('POST', `/ders/${battery}/commands`, { as: ada.owner, body: { power_w: 5000, ttl_s: 3600 } });
    cloud.clock.advance(1000);
    assert.equal((await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada.owner })).status, 204);
    cloud.clock.advance(1000);
    await cloud.claim(ada.owner, ada.org, gateway);
    cloud.clock.advance(1000);
    await cloud.claim(bob.owner, bob.org, gateway);
    const { body } = await cloud.call('GET', `/gateways?org_id=${bob.org}`, { as: bob.owner });
    assert.deepEqual(
      body.map(({ gateway_serial }: { gateway_serial: string }) => gateway_serial),
      [gateway.serial],
    );
  });

  test('no longer shows its log to the old owner', async () => {
    const [ada, bob] = [await emptyHome(), await emptyHome()];
    const gateway = await cloud.claim(ada.owner, ada.org);
    const log = await follow(`/gateways/${gateway.serial}/logs`, ada.owner);
    assert.equal(log.response.status, 200);
    cloud.clock.advance(1000);
    await cloud.claim(bob.owner, bob.org, gateway);
    await log.ended();
    assert.deepEqual(log.events.at(-1)?.data, { reason: 'access_lost' });
  });

  test('gets a release for each device that the old owner commanded', async () => {
    const [ada, bob] = [await cloud.home(), await emptyHome()];
    const { gateway, device } = ada;
    const battery = device.ders.find(({ name }: { name: string }) => name === 'battery').id;
    const client = await connected(gateway);
    const heard: Record<string, unknown>[] = [];
    client.on('message', (_, payload) => heard.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(commandTopic(gateway.serial, 'battery', 'INV-1'), { qos: 1 });
    await cloud.call('POST', `/ders/${battery}/commands`, { as: ada.owner, body: { power_w: 5000, ttl_s: 3600 } });
    await until(() => heard.length === 1);
    cloud.clock.advance(1000);
    await cloud.claim(bob.owner, bob.org, gateway);
    await until(() => heard.length === 2);
    assert.equal(heard[1]!.action, 'release');
    await client.endAsync(true);
  });
});
