import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, formatTime, hourMs, minuteMs } from '#contract/time.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { meanAt, startCarbonPublishers } from '#test/price/carbon-publishers.ts';
import { openPrice } from '#test/price/open-price.ts';
import { importDays } from '../energy/enrol.ts';
import { remoteCalculator } from './bill-calculator.ts';

const noon = Date.parse('2026-06-01T12:40:00Z');
const midnight = Date.parse('2026-05-31T22:00:00Z'); // in Stockholm
const importedWh = (i: number): number => 200 + (i % 7) * 10;

suite('the carbon dioxide of a site', () => {
  const opened = new AsyncDisposableStack();
  let cloud: TestCloud;
  let ada: Person;
  let site: string;
  let publishers: Awaited<ReturnType<typeof startCarbonPublishers>>;
  before(async () => {
    publishers = opened.use(await startCarbonPublishers({ clock: createFakeClock(noon) }));
    const price = opened.use(await openPrice(publishers.env, noon));
    cloud = await openCloud({ calculator: remoteCalculator(await price.app.listen({ port: 0 })) });
    opened.defer(() => cloud.close());
    const home = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
    ({ owner: ada, site } = home);
    const meter = await cloud.provision(ada, site, home.gateway.serial, {
      hardware_id: 'P1',
      device_type: 'energy_meter',
      ders: [{ name: 'meter', type: 'meter' }],
    });
    const from = midnight - 380 * dayMs;
    const length = Math.floor((noon - from) / quarterMs);
    const imported = Float64Array.from({ length }, (_, i) => importedWh(i));
    const energy = { der_id: meter.ders[0].id, in: imported, out: new Float64Array(length) };
    await importDays(cloud.store, site, from, [energy]);
    cloud.clock.set(noon);
  });
  after(() => opened.disposeAsync());

  const place = (body: object) => cloud.call('PUT', `/sites/${site}`, { as: ada, body });
  const get = (query: string, as = ada) => cloud.call('GET', `/sites/${site}/carbon?${query}`, { as });
  const range = (from: number, to: number): string => `from=${from}&to=${to}`;
  const imports = (from: number, to: number): number[] =>
    Array.from({ length: (to - from) / quarterMs }, (_, i) => importedWh((from - midnight) / quarterMs + i + 380 * 96));
  const gramsOf = (from: number, to: number, stepMs: number): number =>
    imports(from, to).reduce((sum, Wh, i) => {
      const hour = Math.floor((from + i * quarterMs) / hourMs) * hourMs;
      return sum + (Wh * meanAt(hour, stepMs)) / 1000;
    }, 0);

  test('is the energy of each hour times the intensity of the area in that hour', async () => {
    await place({ price_area: 'DK1' });
    const [from, to] = [midnight - dayMs + 2 * quarterMs, midnight - 3 * quarterMs];
    const { status, body } = await get(range(from, to));
    assert.equal(status, 200, JSON.stringify(body));
    const { carbon_g, ...others } = body;
    assert.deepEqual(others, {
      site_id: site,
      timezone: 'Europe/Stockholm',
      from: formatTime(from),
      to: formatTime(to),
      import_wh: imports(from, to).reduce((sum, Wh) => sum + Wh, 0),
      covered_pct: 100,
      provider: 'Energi Data Service',
    });
    assert.ok(Math.abs(carbon_g - gramsOf(from, to, 5 * minuteMs)) < 0.01, String(carbon_g));
  });

  test('of today ends with the last hour whose intensity is known', async () => {
    await place({ price_area: 'DK1' });
    const { body } = await get(range(midnight, noon + 5 * minuteMs));
    const known = Date.parse('2026-06-01T12:00Z');
    assert.equal(body.to, formatTime(known));
    assert.ok(Math.abs(body.carbon_g - gramsOf(midnight, known, 5 * minuteMs)) < 0.01);
  });

  test('has the imported energy of the ledger in any range, also one of more than a year', async () => {
    await place({ price_area: 'GB' });
    const asked = range(midnight - 380 * dayMs, midnight);
    const { body } = await get(asked);
    const { body: energy } = await cloud.call('GET', `/sites/${site}/energy?${asked}&resolution=1y`, { as: ada });
    assert.equal(body.import_wh, energy.total.import_wh);
    assert.equal(body.covered_pct, 100);
    const expected = gramsOf(midnight - 380 * dayMs, midnight, 30 * minuteMs);
    assert.ok(Math.abs(body.carbon_g - expected) < 1, `${body.carbon_g}, not ${expected}`);
  });

  test('uses the area at the position of a site without a price area', async () => {
    await place({ price_area: null });
    const { body } = await get(range(midnight - dayMs, midnight));
    assert.equal(body.provider, 'Electricity Maps'); // of SE3, the only zone of its token
    assert.ok(body.carbon_g > 0);
  });

  test('is CSV on request', async () => {
    await place({ price_area: 'DK1' });
    const { body } = await get(`${range(midnight - dayMs, midnight)}&format=csv`);
    assert.match(body, /^from,to,import_wh,carbon_g,covered_pct,provider\n2026-05-30T22.*,100,Energi Data Service\n$/);
  });

  test('is absent where no source covers the area, or none has a value', async () => {
    await place({ price_area: 'XX1' });
    const { status, body } = await get(range(midnight - dayMs, midnight));
    assert.deepEqual([status, body.carbon_g, body.covered_pct, body.provider], [200, null, 0, null]);
    assert.ok(body.import_wh > 0);
    await place({ price_area: 'DK1' });
    const before2017 = await get('from=2016-01-01&to=2016-01-02');
    assert.deepEqual([before2017.body.carbon_g, before2017.body.covered_pct], [0, null], 'nothing was imported then');
  });

  for (const { says, missingHours, isStated } of [
    { says: 'is stated, with its share, when few intensities are unknown', missingHours: 1, isStated: true },
    { says: 'is absent when more than a few intensities are unknown', missingHours: 3, isStated: false },
  ]) {
    test(says, async () => {
      const from = midnight - 30 * dayMs - missingHours * dayMs; // not stored yet
      await place({ price_area: 'SE3' });
      publishers.answerWith((request, response) => {
        const asked = new URL(request.url ?? '', 'http://publishers').searchParams;
        const [first, last] = [Date.parse(asked.get('start') ?? ''), Date.parse(asked.get('end') ?? '')];
        const hours = Array.from({ length: (last - first) / hourMs }, (_, n) => first + n * hourMs);
        const isMissing = (at: number): boolean => at >= from + 5 * hourMs && at < from + (5 + missingHours) * hourMs;
        const data = hours.map((at) => ({
          datetime: formatTime(at),
          carbonIntensity: isMissing(at) ? null : 50,
          isEstimated: false,
        }));
        response.end(JSON.stringify({ zone: 'SE-SE3', data }));
      });
      const { body } = await get(range(from, from + dayMs));
      publishers.answerWith(undefined);
      const share = 100 * (1 - missingHours / 24);
      assert.ok(Math.abs(body.covered_pct - share) < 1, String(body.covered_pct));
      if (isStated) assert.ok(Math.abs(body.carbon_g - (body.import_wh * body.covered_pct * 50) / 1e5) < 10);
      else assert.equal(body.carbon_g, null);
    });
  }

  test('is unavailable while the source fails and nothing is stored', async () => {
    await place({ price_area: 'DK2' });
    publishers.answerWith((_request, response) => response.writeHead(404).end());
    const { status, headers } = await get(range(midnight - dayMs, midnight));
    publishers.answerWith(undefined);
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
  });

  test('is refused in the future, and hidden from others', async () => {
    assert.equal((await get('month=2026-07')).status, 422);
    assert.equal((await get('month=2026-05', await cloud.person())).status, 404);
  });
});

test('without a price service, the carbon dioxide of a site is absent', async () => {
  const cloud = await openCloud({ calculator: null });
  try {
    const { owner, site } = await cloud.home({ place: { latitude: 59.33, longitude: 18.07 } });
    const { status, body } = await cloud.call('GET', `/sites/${site}/carbon?month=2026-05`, { as: owner });
    assert.deepEqual([status, body.carbon_g, body.provider], [200, null, null]);
  } finally {
    await cloud.close();
  }
});
