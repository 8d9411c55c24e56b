import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import type { TestCloud } from '#test/cloud/open-cloud.ts';
import { bucketsOf, rawOf } from '../store/telemetry/testing/answers.ts';
import { eraseDeleted } from './erasure.ts';
import { createLatest } from './live.ts';

type Home = Awaited<ReturnType<TestCloud['home']>>;

onEachEngine('the telemetry of what is deleted', (cloud) => {
  const clients: GatewayClient[] = [];
  after(() => Promise.all(clients.map((client) => client.endAsync(true))));

  const numberOf = async (derId: string): Promise<number> =>
    (await cloud.store.db.selectFrom('ders').where('id', '=', derId).select('no').executeTakeFirstOrThrow()).no;
  const erase = () =>
    eraseDeleted({ ...cloud, latest: createLatest(cloud.telemetry, { isShared: true }) }, cloud.clock.now());
  const queued = async () => (await cloud.store.db.selectFrom('erasures').selectAll().execute()).length;

  /** How much is found of a DER: its newest reading, readings, and windows of every level. */
  async function found(no: number): Promise<number[]> {
    const { telemetry, clock } = cloud;
    const end = Math.ceil(clock.now() / dayMs) * dayMs;
    const edges = (stepMs: number) =>
      Array.from({ length: (8 * dayMs) / stepMs + 1 }, (_, i) => end - 8 * dayMs + i * stepMs);
    const levels = [minuteMs, 5 * minuteMs, hourMs].map((ms) => bucketsOf(telemetry, no, edges(ms)));
    return [
      (await telemetry.latest([no])).size,
      (await rawOf(telemetry, no, end - 8 * dayMs, end)).length,
      ...(await Promise.all(levels)).map(({ length }) => length),
    ];
  }

  /** A home whose PV has readings of days ago and of some hours ago, both sealed, and of now. */
  async function homeWithHistory(): Promise<Home & { no: number; derId: string; client: GatewayClient }> {
    const home = await cloud.home();
    const derId = home.device.ders[0].id;
    const no = await numberOf(derId);
    const client = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
    clients.push(client);
    const now = cloud.clock.now();
    const body = '{"W":-5,"total_generation_Wh":7}';
    const times = [now - 3 * dayMs, now - 3 * dayMs + hourMs, now - 3 * hourMs];
    await cloud.telemetry.append(times.map((at, i) => ({ der: no, at, received: (at + i) * 1000, body })));
    await cloud.telemetry.seal(now);
    await client.report('INV-1', 'pv', { timestamp: now, W: -6 });
    assert.deepEqual(await found(no), [1, 4, 4, 4, 4]);
    return { ...home, no, derId, client };
  }

  test('is erased at every level and not stored again, and that of others stays', async () => {
    await cloud.start();
    const neighbour = await homeWithHistory();
    const { owner, device, derId, no, client, gateway } = await homeWithHistory();
    assert.equal((await cloud.call('DELETE', `/ders/${derId}`, { as: owner })).status, 204);
    assert.equal((await cloud.call('GET', `/ders/${derId}`, { as: owner })).status, 404);
    assert.equal((await cloud.call('GET', `/devices/${device.id}`, { as: owner })).body.ders.length, 1);
    await erase();
    assert.deepEqual(await found(no), [0, 0, 0, 0, 0]);
    assert.deepEqual(await found(neighbour.no), [1, 4, 4, 4, 4]);

    await client.report('INV-1', 'pv', { timestamp: cloud.clock.now() + 1, W: -6 });
    const { body } = await cloud.call('GET', `/gateways/${gateway.serial}`, { as: owner });
    assert.equal(body.dropped.not_provisioned, 1);
    // A reading that was on its way when the DER was deleted, and a sealing run that had read it.
    await cloud.telemetry.append([
      { der: no, at: cloud.clock.now() - 3 * hourMs, received: cloud.clock.now() * 1000, body: '{"W":1}' },
    ]);
    await cloud.telemetry.seal(cloud.clock.now());
    assert.equal(await queued(), 1);
    cloud.clock.advance(11 * minuteMs);
    await erase();
    assert.deepEqual([await found(no), await queued()], [[0, 0, 0, 0, 0], 0]);
    assert.deepEqual(await found(neighbour.no), [1, 4, 4, 4, 4]);
  });

  for (const { says, path, ders } of [
    { says: 'a device', path: ({ device }: Home) => `/devices/${device.id}`, ders: 2 },
    { says: 'a site with its devices', path: ({ site }: Home) => `/sites/${site}?cascade=true`, ders: 2 },
  ]) {
    test(`is erased with ${says}, also when its gateway was released before`, async () => {
      const home = await homeWithHistory();
      await cloud.call('DELETE', `/gateways/${home.gateway.serial}`, { as: home.owner });
      await erase();
      assert.deepEqual([await found(home.no), await queued()], [[1, 4, 4, 4, 4], 0]); // a release erases nothing
      assert.equal((await cloud.call('DELETE', path(home), { as: home.owner })).status, 204);
      assert.equal(await queued(), ders);
      await erase();
      assert.deepEqual(await found(home.no), [0, 0, 0, 0, 0]);
      cloud.clock.advance(11 * minuteMs);
      await erase();
      assert.equal(await queued(), 0);
    });
  }

  test('stays when the gateway is transferred', async () => {
    const home = await homeWithHistory();
    const buyer = await cloud.person();
    cloud.clock.advance(2000);
    await cloud.claim(buyer, await cloud.organization(buyer), home.gateway);
    await erase();
    assert.deepEqual([await found(home.no), await queued()], [[1, 4, 4, 4, 4], 0]);
  });
});
