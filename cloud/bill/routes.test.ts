import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { quarterMs } from '#contract/cloud/energy.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';

for (const { engine, skip } of engines) {
  describe(`the bill of a site on ${engine}`, { skip }, () => {
    const start = Date.parse('2026-06-01T12:00:00Z'); // 14:00 in Stockholm
    const end = start + hourMs;
    let cloud: TestCloud;
    let ada: Person;
    let site: string;
    let client: GatewayClient;
    before(async () => {
      const calculator = knownCalculator({ spot: () => 100, unknownFrom: '2026-06-02', now: '2026-06-01T13:00Z' });
      cloud = await openCloud({ engine, calculator });
      await cloud.start();
      const home = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
      ({ owner: ada, site } = home);
      await cloud.provision(ada, site, home.gateway.serial, {
        hardware_id: 'P1',
        device_type: 'energy_meter',
        ders: [{ name: 'meter', type: 'meter' }],
      });
      client = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
      for (let at = start; at <= end; at += 5 * minuteMs) {
        cloud.clock.set(at);
        const share = (at - start) / hourMs;
        await client.report('P1', 'meter', {
          timestamp: at,
          W: 1234,
          total_import_Wh: 5000 + Math.floor(1234 * share),
        });
      }
      const periods = [{ valid_from: '2026-01-01', pricing: 'spot', markup_per_kwh: 0.1 }];
      assert.equal((await cloud.call('PUT', `/sites/${site}/contract`, { as: ada, body: { periods } })).status, 200);
    });
    after(async () => {
      await client.endAsync(true);
      await cloud.close();
    });

    const get = (path: string) => cloud.call('GET', `/sites/${site}/${path}`, { as: ada });
    const range = `from=${start}&to=${end}`;

    test('has the energy of the ledger to the watt-hour, at the prices of the contract', async () => {
      const { body: energy } = await get(`energy?${range}`);
      const { status, body: bill } = await get(`bill?${range}`);
      assert.equal(status, 200, JSON.stringify(bill));
      assert.equal(Math.round(bill.metadata.import_kwh * 1e6), energy.total.import_wh * 1000);
      assert.equal(energy.total.import_wh, 1234);
      assert.equal(bill.coverage_pct, energy.total.coverage_pct);
      assert.deepEqual(
        bill.lines.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]),
        [
          ['spot', 1.23],
          ['markup', 0.12],
          ['energy_tax', 0.44], // 1.234 x 0.36
          ['vat', 0.45], // a quarter of 1.79
        ],
      );
      assert.equal(bill.total, 2.24);
    });

    test('of the running month is projected, and ends with the current quarter of an hour', async () => {
      const { status, body } = await get('bill?month=2026-06');
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(Date.parse(body.metadata.to), end + quarterMs);
      assert.equal(typeof body.projected.total, 'number');
      assert.ok(body.projected.assumed.length > 0);
      assert.deepEqual(body.peaks, []);
    });

    test('is CSV on request, and so are savings', async () => {
      const bill = await cloud.app.inject({
        url: `/sites/${site}/bill?${range}&format=csv`,
        headers: { authorization: `Bearer ${ada.token}` },
      });
      assert.match(String(bill.headers['content-type']), /^text\/csv/);
      assert.match(bill.body, /^kind,name,from,to,quantity,unit,price,amount\nspot,Spot price,,,1\.234,kWh,1,1\.23\n/);
      assert.match(bill.body, /\ntotal,,,,,SEK,,2\.24\n$/);
      const savings = await cloud.app.inject({
        url: `/sites/${site}/savings?${range}&format=csv`,
        headers: { authorization: `Bearer ${ada.token}` },
      });
      assert.match(
        savings.body,
        /^from,to,currency,actual,without_battery,without_solar,.*\n2026-06-01T12.*,SEK,2\.24,2\.24,2\.24,,0,0\n$/,
      );
    });

    test('is refused without a valid range', async () => {
      for (const query of ['month=2026-13', 'month=2027-01', 'from=2026-06-01T12:01:00Z', 'to=2026-06-02'])
        assert.equal((await get(`bill?${query}`)).status, 422, query);
      assert.equal((await get('bill?moth=2026-06')).status, 400);
    });

    test('names what is wrong with the tariff of the site', async () => {
      await cloud.call('PUT', `/sites/${site}`, { as: ada, body: { tariff_id: 'gone' } });
      const { status, body } = await get(`bill?${range}`);
      assert.deepEqual([status, body.detail], [422, 'Unknown tariff gone.']);
      await cloud.call('PUT', `/sites/${site}`, { as: ada, body: { tariff_id: null } });
    });
  });
}

test('bills of one caller are calculated one after the other, and not without limit', async () => {
  let running = 0;
  let most = 0;
  const known = knownCalculator({ spot: () => 100 });
  const calculator = {
    ...known,
    async bill(body: Parameters<typeof known.bill>[0]) {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      return known.bill(body);
    },
  };
  const cloud = await openCloud({ calculator });
  try {
    const { owner, site } = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
    const ask = () => cloud.call('GET', `/sites/${site}/bill?from=2026-05-01&to=2026-05-02`, { as: owner });
    const statuses = (await Promise.all(Array.from({ length: 80 }, ask))).map(({ status }) => status);
    assert.equal(most, 1);
    assert.deepEqual(new Set(statuses), new Set([200, 429]));
    assert.ok(statuses.filter((status) => status === 200).length >= 60);
    assert.equal((await ask()).status, 200);
  } finally {
    await cloud.close();
  }
});

test('without a price service a bill is answered with 503, and what to do', async () => {
  const cloud = await openCloud({ calculator: null });
  try {
    const { owner, site } = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
    for (const path of ['bill', 'savings']) {
      const { status, body, headers } = await cloud.call('GET', `/sites/${site}/${path}`, { as: owner });
      assert.equal(status, 503);
      assert.match(body.detail, /PRICE_URL/);
      assert.ok(headers['retry-after']);
    }
  } finally {
    await cloud.close();
  }
});
