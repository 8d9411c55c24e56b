import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { openCloud } from '#test/cloud/open-cloud.ts';
import { enrolFleet } from '#test/faults/fleet.ts';
import { startPlatform } from '#test/faults/platform.ts';
import { freePort } from '#test/free-port.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { until } from '#test/until.ts';
import { getDer } from '../cloud/devices.ts';
import { acceptInvitation } from '../cloud/invitations.ts';
import { dayMs } from '../time.ts';
import { connect } from './connect.ts';
import { keyFromPem, makeKey } from './key.ts';
import type { SiteEvent } from './site-stream.ts';

const now = (): number => Math.floor(performance.timeOrigin + performance.now());

/** Reads on until so many readings have come since the beginning; all that came is in `told`. */
function follow(events: AsyncGenerator<SiteEvent>) {
  const told: SiteEvent[] = [];
  const readings = () => told.flatMap((event) => (event.type === 'reading' ? [event] : []));
  return {
    told,
    async reach(count: number) {
      while (readings().length < count) {
        const { done, value } = await events.next();
        assert.ok(!done, 'the stream ended');
        told.push(value);
      }
      return readings();
    },
  };
}

/** A platform in this process with a member who watches a home of two DERs. */
async function openHome() {
  const cloud = await openCloud();
  const url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  await cloud.start();
  const { owner, org, site, gateway: signer } = await cloud.home();
  const member = await connect(url, { key: (await makeKey()).key });
  await member.call(acceptInvitation, { params: { secret: await cloud.invite(owner, org, 'viewer') } });
  return {
    cloud,
    site,
    member,
    removeMember: () => cloud.call('DELETE', `/organizations/${org}/members/${member.identityId}`, { as: owner }),
    async report(der: string, W: number): Promise<void> {
      cloud.clock.advance(1000);
      const gateway = await connectGateway(cloud.transport.urls.mqtt!, signer, cloud.clock.now());
      await gateway.report('INV-1', der, { timestamp: cloud.clock.now(), W });
      await gateway.endAsync();
    },
    [Symbol.asyncDispose]: () => cloud.close(),
  };
}

suite('the stream of a cloud', { timeout: 90_000 }, () => {
  test('a killed platform costs no reading and repeats none', async (t) => {
    const folder = temporaryFolder(t);
    const mqttPort = await freePort();
    const env = { DATA_DIR: folder, CLOUD_PORT: String(await freePort()), MQTT_PORT: String(mqttPort) };
    let platform = await startPlatform(env);
    try {
      const fleet = await enrolFleet(platform.url, 1);
      const [{ signer, der }] = fleet.gateways as [(typeof fleet.gateways)[number]];
      const ohmstead = await connect(platform.url, { token: fleet.token });
      const { site_id } = await ohmstead.call(getDer, { params: { der_id: der } });
      let W = 0;
      const report = async (count: number): Promise<void> => {
        const client = await connectGateway(`mqtt://127.0.0.1:${mqttPort}`, signer, now());
        for (const last = W + count; W < last; ) await client.report('M1', 'grid', { timestamp: now() + W, W: ++W });
        await client.endAsync();
      };

      await report(1);
      const stream = ohmstead.stream(site_id);
      const viewer = follow(stream);
      await viewer.reach(1);
      await report(10);
      await viewer.reach(4); // the others are on their way, or in hand
      for (let round = 0; round < 2; round++) {
        await platform.kill();
        platform = await startPlatform(env);
        await report(20);
        await viewer.reach(W - 5);
      }
      const all = await viewer.reach(W);
      await stream.return(undefined);
      assert.deepEqual(
        all.map(({ reading }) => reading.W),
        Array.from({ length: 51 }, (_, index) => index + 1),
      );
      const ways = viewer.told.flatMap(({ type }) => (type.endsWith('connected') ? [type] : []));
      assert.deepEqual(ways, ['connected', 'disconnected', 'connected', 'disconnected', 'connected']);
      assert.ok(!viewer.told.some(({ type }) => type === 'gap'));
    } finally {
      await platform.kill();
    }
  });

  test('begins with the latest of every DER in the order it arrived', async () => {
    await using home = await openHome();
    await home.report('pv', 1);
    await home.report('battery', 2);
    await home.report('pv', 3);
    const stream = home.member.stream(home.site);
    const ids = (await follow(stream).reach(2)).map(({ id, reading }) => [Number(id), reading.W]);
    assert.deepEqual(
      ids.map(([, W]) => W),
      [2, 3],
    );
    assert.ok(ids[0]![0]! < ids[1]![0]!);
    await stream.return(undefined);
  });

  test('continues when its token expires', async () => {
    await using home = await openHome();
    await home.report('pv', 1);
    const stream = home.member.stream(home.site);
    const viewer = follow(stream);
    await viewer.reach(1);
    const before = await home.member.token();
    home.cloud.clock.advance(dayMs);
    const coming = viewer.reach(2);
    await until(async () => (await home.member.token()) !== before);
    await home.report('pv', 2);
    assert.equal((await coming)[1]!.reading.W, 2);
    assert.ok(!viewer.told.some(({ type }) => type === 'disconnected'));
    await stream.return(undefined);
  });

  test('ends with not_found for a former member', async () => {
    await using home = await openHome();
    await home.report('pv', 1);
    const viewer = follow(home.member.stream(home.site));
    await viewer.reach(1);
    const coming = viewer.reach(2);
    await home.removeMember();
    await assert.rejects(coming, { name: 'Problem', code: 'not_found' });
  });

  test('is refused to a stranger', async () => {
    await using home = await openHome();
    const { pem } = await makeKey();
    const stranger = await connect(home.member.url, { key: await keyFromPem(pem) });
    await assert.rejects(stranger.stream(home.site).next(), { name: 'Problem', code: 'not_found' });
  });
});
