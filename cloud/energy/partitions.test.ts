import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type EnergyTotal, quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, formatTime, minuteMs } from '#contract/time.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { importDays } from './enrol.ts';

const from = Date.parse('2025-05-31T22:00:00Z'); // midnight in Stockholm; both clock changes follow
const to = from + 365 * dayMs;

for (const { engine, skip } of engines) {
  describe(`a year of energy on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let site: string;
    let total: EnergyTotal;
    before(async () => {
      cloud = await openCloud({ engine });
      const home = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
      ({ owner: ada, site } = home);
      const meter = await cloud.provision(ada, site, home.gateway.serial, {
        hardware_id: 'P1',
        device_type: 'energy_meter',
        ders: [{ name: 'meter', type: 'meter' }],
      });
      const column = (of: (i: number) => number) =>
        Float64Array.from({ length: (to - from) / quarterMs }, (_, i) => of(i));
      const energy = {
        in: column((i) => 300 + 250 * Math.sin(i / 15)),
        out: column((i) => Math.max(0, 90 * Math.sin(i / 31))),
      };
      const { body: devices } = await cloud.call('GET', `/sites/${site}/devices`, { as: ada });
      const ders: { id: string; type: string }[] = devices.flatMap(({ ders }: { ders: object[] }) => ders);
      const sun = { in: column(() => 0), out: column((i) => Math.max(0, 120 * Math.sin(i / 31))) };
      await importDays(cloud.store, site, from, [
        { der_id: meter.ders[0].id, ...energy },
        { der_id: ders.find(({ type }) => type === 'solar')!.id, ...sun },
      ]);
      total = (await get(`from=${from}&to=${to}&resolution=1y`)).body.total;
    });
    after(() => cloud.close());

    const get = (query: string, path = 'energy') => cloud.call('GET', `/sites/${site}/${path}?${query}`, { as: ada });
    const sum = (list: readonly Record<string, number>[], name: string): number =>
      list.reduce((all, one) => all + one[name]!, 0);

    for (const resolution of ['15m', '1h', '1d', '1mo', '1y']) {
      test(`has the same total by ${resolution}, as JSON and CSV`, async () => {
        const asked = `from=${from}&to=${to}&resolution=${resolution}`;
        const { body } = await get(asked);
        assert.deepEqual(body.total, total);
        for (const name of ['import_wh', 'export_wh', 'load_wh'])
          assert.equal(sum(body.intervals, name), body.total[name]);
        const [head = '', ...rows] = (await get(`${asked}&format=csv`)).body.trimEnd().split('\n');
        const place = head.split(',').indexOf('import_wh');
        assert.equal(rows.length, body.intervals.length);
        assert.equal(
          rows.reduce((all: number, row: string) => all + Number(row.split(',')[place]), 0),
          total.import_wh,
        );
      });
    }

    test('has the same total in parts that begin at any quarter-hour', async () => {
      let imported = 0;
      for (let start = from, n = 1; start < to; n++) {
        const end = Math.min(to, start + ((n * 7919) % 4001) * quarterMs + quarterMs);
        const resolution = ['15m', '1h', '1d', '1mo', '1y'][n % 5];
        imported += (await get(`from=${start}&to=${end}&resolution=${resolution}`)).body.total.import_wh;
        start = end;
      }
      assert.equal(imported, total.import_wh);
    });

    test('has days of 23 and 25 hours', async () => {
      const { body } = await get(`from=${from}&to=${to}&resolution=1d`);
      const hours = body.intervals.map(
        (one: { start: string; end: string }) => (Date.parse(one.end) - Date.parse(one.start)) / 3_600_000,
      );
      assert.deepEqual(
        [hours.length, hours.filter((h: number) => h === 23).length, hours.filter((h: number) => h === 25).length],
        [365, 1, 1],
      );
    });

    test('is billed to the watt-hour, by the month and at once', async () => {
      cloud.clock.set(to);
      const wh = async (query: string, path: string) => {
        const { status, body } = await get(query, path);
        assert.equal(status, 200, JSON.stringify(body));
        return Math.round(body.metadata.import_kwh * 1000);
      };
      assert.equal(await wh(`from=${formatTime(from)}&to=${formatTime(to)}`, 'bill'), total.import_wh);
      let months = 0;
      for (let month = 0; month < 12; month++) {
        const name = new Date(Date.UTC(2025, 5 + month)).toISOString().slice(0, 7);
        months += await wh(`month=${name}`, 'bill');
      }
      assert.equal(months, total.import_wh);
    });

    test('has the same cost, self-consumption and imports in its bill, savings and carbon dioxide', async () => {
      cloud.clock.set(to);
      let imported = 0;
      for (let month = 0; month < 12; month++) {
        const asked = `month=${new Date(Date.UTC(2025, 5 + month)).toISOString().slice(0, 7)}`;
        const [bill, savings, carbon] = await Promise.all(
          ['bill', 'savings', 'carbon'].map(async (path) => (await get(asked, path)).body),
        );
        assert.equal(savings.actual, bill.total);
        assert.equal(Math.round(bill.metadata.import_kwh * 1000), carbon.import_wh);
        const { total: energy } = (await get(`from=${carbon.from}&to=${carbon.to}&resolution=1d`)).body;
        assert.deepEqual(
          [savings.self_consumption, carbon.import_wh],
          [energy.self_consumption_pct, energy.import_wh],
          asked,
        );
        imported += carbon.import_wh;
      }
      assert.equal(imported, total.import_wh);
    });
  });
}

test('a late reading over MQTT corrects the energy within 30 seconds', async (t) => {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  await cloud.start();
  const { owner, site, gateway } = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
  const start = cloud.clock.now();
  const client = await connectGateway(cloud.transport.urls.mqtt!, gateway, start);
  t.after(() => client.endAsync(true));
  const report = (at: number) => client.report('INV-1', 'pv', { timestamp: at, W: -2000 });
  const isLate = (at: number): boolean => at > start + 20 * minuteMs && at < start + 40 * minuteMs;
  const times = Array.from({ length: 46 }, (_, minute) => start + minute * minuteMs); // a token is valid for an hour
  for (const at of times) {
    cloud.clock.set(at);
    if (!isLate(at)) await report(at);
  }
  const solar = async () => {
    const range = `from=${start}&to=${start + 60 * minuteMs}`;
    return (await cloud.call('GET', `/sites/${site}/energy?${range}`, { as: owner })).body.total.solar_wh;
  };
  assert.equal(await solar(), 833);
  for (const at of times.filter(isLate).toReversed()) await report(at);
  const look = (): Promise<number> => {
    cloud.clock.advance(1000); // the ledger works each second of real time, whatever the clock says
    return solar();
  };
  await until(look, (wh) => wh === 1500, 30_000);
});
