import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';

for (const { engine, skip } of engines) {
  describe(`the energy of a site on ${engine}`, { skip }, () => {
    const start = Date.parse('2026-06-01T12:00:00Z');
    let cloud: TestCloud;
    let ada: Person;
    let site: string;
    let org: string;
    let client: GatewayClient;
    before(async () => {
      cloud = await openCloud({ engine });
      await cloud.start();
      const place = { latitude: 59.33, longitude: 18.07 };
      const home = await cloud.home({ place });
      ({ owner: ada, site, org } = home);
      await cloud.provision(ada, site, home.gateway.serial, {
        hardware_id: 'P1',
        device_type: 'energy_meter',
        ders: [{ name: 'meter', type: 'meter' }],
      });
      client = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
      for (let at = start; at <= start + hourMs; at += minuteMs) {
        cloud.clock.set(at);
        const share = (at - start) / hourMs;
        await Promise.all([
          client.report('P1', 'meter', { timestamp: at, W: 1000, total_import_Wh: 5000 + Math.floor(1000 * share) }),
          client.report('INV-1', 'pv', {
            timestamp: at,
            W: -2000,
            total_generation_Wh: 7000 + Math.floor(2000 * share),
          }),
          client.report('INV-1', 'battery', { timestamp: at, W: 500 }),
        ]);
      }
    });
    after(async () => {
      await client.endAsync(true);
      await cloud.close();
    });

    const get = (query: string, path = 'energy') => cloud.call('GET', `/sites/${site}/${path}?${query}`, { as: ada });
    const range = `from=${start}&to=${start + hourMs}`;

    test('is answered by the quarter of an hour, with a total', async () => {
      const { status, body } = await get(`${range}&resolution=15m`);
      assert.equal(status, 200);
      assert.deepEqual(
        { ...body, intervals: body.intervals.length },
        {
          site_id: site,
          timezone: 'Europe/Stockholm',
          resolution: '15m',
          from: formatTime(start),
          to: formatTime(start + hourMs),
          intervals: 4,
          total: {
            import_wh: 1000,
            export_wh: 0,
            solar_wh: 2000,
            battery_charge_wh: 500,
            battery_discharge_wh: 0,
            car_charge_wh: 0,
            car_discharge_wh: 0,
            load_wh: 2500,
            self_consumption_pct: 100,
            self_sufficiency_pct: 60,
            coverage_pct: 100,
            estimated_wh: 0,
            balance_error_wh: 0,
          },
        },
      );
      assert.deepEqual(
        body.intervals.map((one: { import_wh: number; start: string }) => [one.start, one.import_wh]),
        [0, 1, 2, 3].map((i) => [formatTime(start + i * quarterMs), 250]),
      );
    });

    test('is answered as CSV', async () => {
      const { status, body, headers } = await get(`${range}&resolution=1h&format=csv`);
      assert.equal(status, 200);
      assert.match(headers['content-type']!, /^text\/csv/);
      const [head, row, rest] = body.split('\n');
      assert.match(head, /^start,end,import_wh,export_wh,solar_wh/);
      assert.match(
        row,
        /^2026-06-01T12:00:00.000Z,2026-06-01T13:00:00.000Z,1000,0,2000,500,0,0,0,2500,100,60,100,0,0$/,
      );
      assert.equal(rest, '');
    });

    test('is listed by device, the largest first', async () => {
      const { status, body } = await get(range, 'energy/devices');
      assert.equal(status, 200);
      assert.deepEqual(
        body.devices.map(({ name, kind, in_wh, out_wh, coverage_pct }: Record<string, unknown>) => [
          name,
          kind,
          in_wh,
          out_wh,
          coverage_pct,
        ]),
        [
          ['INV-1', 'solar', 0, 2000, 100],
          ['P1', 'meter', 1000, 0, 100],
          ['INV-1', 'battery', 500, 0, 100],
        ],
      );
      const csv = await get(`${range}&format=csv`, 'energy/devices');
      assert.match(csv.body, /^device_id,der_id,name,kind,in_wh/);
    });

    test('has defaults for today', async () => {
      const { body } = await get('');
      assert.deepEqual(
        [body.from, body.to, body.resolution],
        ['2026-05-31T22:00:00.000Z', '2026-06-01T13:15:00.000Z', '15m'],
      );
      assert.equal(body.total.import_wh, 1000);
    });

    for (const { says, query, status } of [
      { says: 'a time between quarters', query: `from=${start + 1000}&to=${start + hourMs}`, status: 422 },
      { says: 'an end before the start', query: `from=${start}&to=${start - hourMs}`, status: 422 },
      { says: 'no time', query: 'from=yesterday', status: 400 },
      { says: 'a century by the quarter of an hour', query: 'from=1926-01-01T00:00:00Z&resolution=15m', status: 422 },
      { says: 'a century by the day', query: 'from=1926-01-01T00:00:00Z&resolution=1d', status: 422 },
    ]) {
      test(`${says} is refused`, async () => assert.equal((await get(query)).status, status));
    }

    test('a century by the year is answered', async () => {
      const { body } = await get('from=1926-01-01T00:00:00Z&to=2026-07-01T00:00:00Z&resolution=1y');
      assert.equal(body.intervals.length, 101);
      assert.equal(body.total.solar_wh, 2000);
    });

    test('is valid for every number of intervals, as JSON and as CSV', async () => {
      for (let count = 1; count <= 120; count++) {
        const asked = `from=${start}&to=${start + count * quarterMs}&resolution=15m`;
        const { body } = await get(asked);
        assert.equal(body.intervals.length, count);
        const lines = String((await get(`${asked}&format=csv`)).body)
          .trimEnd()
          .split('\n');
        assert.equal(lines.length, 1 + count);
      }
    });

    test('is hidden from others, and stays when a device is deleted', async () => {
      const other = await cloud.person();
      assert.equal((await cloud.call('GET', `/sites/${site}/energy`, { as: other })).status, 404);
      const viewer = await cloud.member(ada, org, 'viewer');
      assert.equal((await cloud.call('GET', `/sites/${site}/energy`, { as: viewer })).status, 200);
      const devices = (await cloud.call('GET', `/sites/${site}/devices`, { as: ada })).body;
      const inverter = devices.find((one: { name: string }) => one.name === 'INV-1');
      assert.equal((await cloud.call('DELETE', `/devices/${inverter.id}`, { as: ada })).status, 204);
      const { body } = await get(range, 'energy/devices');
      assert.deepEqual(body.devices[0], {
        ...body.devices[0],
        device_id: null,
        der_id: null,
        name: null,
        out_wh: 2000,
      });
      assert.equal((await get(range)).body.total.solar_wh, 2000);
      assert.equal((await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada })).status, 204);
    });
  });
}
