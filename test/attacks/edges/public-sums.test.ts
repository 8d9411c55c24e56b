import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { latLngToCell } from 'h3-js';
import { connectGateway, type GatewayClient } from '../../cloud/gateway-client.ts';
import { openCloud, type Person, type TestCloud } from '../../cloud/open-cloud.ts';
import type { GatewaySigner } from '../../cloud/people.ts';

const place = { latitude: 59.33, longitude: 18.07 };
const cell = latLngToCell(place.latitude, place.longitude, 6);
const windowMs = 15 * 60_000;

suite('an observer of the sums of a small cell', () => {
  let cloud: TestCloud;
  let ada: Person;
  let org: string;
  let gateway: GatewaySigner;
  let client: GatewayClient;
  before(async () => {
    cloud = await openCloud({ env: { PUBLIC_MIN_SITES: '3' } });
    await cloud.start();
    ada = await cloud.person();
    org = await cloud.organization(ada);
    gateway = await cloud.claim(ada, org);
    await enter();
    for (const home of ['A', 'B', 'C']) await join(home);
  });
  after(async () => {
    await client.endAsync(true);
    await cloud.close();
  });

  const enter = async (): Promise<void> => {
    client = await connectGateway(cloud.transport.urls.mqtt!, gateway, cloud.clock.now());
  };
  async function join(home: string): Promise<void> {
    cloud.clock.advance(1000);
    const site = await cloud.site(ada, org, place);
    await cloud.provision(ada, site, gateway.serial, { hardware_id: home, ders: [{ name: 'pv', type: 'solar' }] });
  }
  const report = async (exported: Record<string, number>): Promise<void> => {
    cloud.clock.advance(1000);
    for (const [home, W] of Object.entries(exported))
      await client.report(home, 'pv', { timestamp: cloud.clock.now(), W: -W });
  };
  const read = async () => (await cloud.call('GET', `/public/cells/${cell}/stats`)).body;
  const exportNow = async (): Promise<number | undefined> => (await read()).der_summary.solar?.total_export_w;
  const nextWindow = async (): Promise<void> => {
    cloud.clock.advance(windowMs);
    await client.endAsync(true); // the values of a new site stay for an hour
    await enter();
  };

  test('does not see what one of them does within a quarter of an hour', async () => {
    await report({ A: 3000, B: 3100, C: 3200 });
    assert.equal(await exportNow(), 9300);
    await report({ A: 0 });
    assert.equal(await exportNow(), 9300);
  });

  test('learns nothing about a site that joins, until as many have joined as the minimum', async () => {
    await nextWindow();
    const homes: Record<string, number> = { A: 3000, B: 3100, C: 3200 };
    for (const [home, sum] of [
      ['D', 9300],
      ['E', 9300],
      ['F', 24_300],
    ] as const) {
      await join(home);
      homes[home] = 5000;
      await report(homes);
      await nextWindow();
      await report(homes);
      assert.equal(await exportNow(), sum, `after ${home}`);
    }
  });

  test('learns nothing about a site that dominates the sum, or is alone', async () => {
    await nextWindow();
    await report({ A: 90_000, B: 100, C: 100, D: 100, E: 100, F: 100 });
    assert.equal(await exportNow(), undefined);
    assert.deepEqual([(await read()).total_power_w, (await read()).der_count], [0, 0]);
    await nextWindow();
    await nextWindow();
    await report({ A: 3000 });
    assert.equal(await exportNow(), undefined);
    await nextWindow();
    await nextWindow();
    assert.equal(await exportNow(), 0);
  });
});
