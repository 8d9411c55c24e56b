import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { createSpotServer, openSpot } from '#test/price/spot-market.ts';
import { findArea } from './areas.ts';

async function openServer(options: Parameters<typeof openSpot>[0]) {
  const spot = await openSpot(options);
  const app = createSpotServer(spot);
  return {
    spot,
    get: (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers }),
    async prices(path: string): Promise<ElectricityPrices> {
      const reply = await app.inject(`/price/electricity/${path}`);
      assert.equal(reply.statusCode, 200, reply.body);
      return reply.json();
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await spot[Symbol.asyncDispose]();
    },
  };
}

const afternoon = '2026-11-14T13:00:00Z';

suite('GET /price/electricity/{area}', () => {
  test('returns today and tomorrow by the hour, with the source', async () => {
    await using server = await openServer({ at: afternoon });
    const { prices, metadata, ...rest } = await server.prices('SE3');
    assert.deepEqual(rest, {
      area: 'SE3',
      area_name: 'Sweden',
      currency: 'EUR',
      unit: 'MWh',
      resolution: 'PT60M',
      timezone: 'UTC',
    });
    assert.equal(prices.length, 48);
    assert.equal(prices[0]?.datetime, '2026-11-13T23:00:00+00:00');
    assert.deepEqual(Object.keys(prices[0]), ['datetime', 'price']);
    assert.deepEqual(metadata, {
      provider: 'Simulated market',
      data_source: 'Simulated day-ahead prices',
      fetched_at: '2026-11-14T13:00:00.000Z',
      start_time: '2026-11-13T23:00:00.000Z',
      last_updated: '2026-11-14T13:00:00.000Z',
      total_points: 48,
      cached: false,
      age: 0,
    });
  });

  test('returns hours that are the mean of their quarters', async () => {
    await using server = await openServer({ at: afternoon });
    const hours = (await server.prices('NL?date=2026-06-14')).prices;
    const quarters = (await server.prices('NL?date=2026-06-14&resolution=PT15M')).prices;
    assert.equal(quarters.length, 96);
    assert.ok(
      quarters.some(({ price }) => price < 0),
      'a sunny Sunday in June',
    );
    hours.forEach(({ datetime, price }, n) => {
      const four = quarters.slice(n * 4, n * 4 + 4);
      assert.equal(four[0]?.datetime, datetime);
      assert.ok(Math.abs(four.reduce((sum, each) => sum + each.price, 0) / 4 - price) < 1e-4);
    });
  });

  for (const { at, points } of [
    { at: '2026-03-28T13:00Z', points: 47 },
    { at: '2026-03-29T13:00Z', points: 47 },
    { at: '2026-10-24T13:00Z', points: 49 },
    { at: '2026-10-25T13:00Z', points: 49 },
    { at: '2026-11-14T10:59Z', points: 24 },
    { at: '2026-11-14T11:30Z', points: 24 },
    { at: '2026-07-14T11:01Z', points: 48 },
  ]) {
    test(`at ${at} current prices have ${points} points`, async () => {
      await using server = await openServer({ at });
      assert.equal((await server.prices('FI')).metadata.total_points, points);
    });
  }

  test('uses the area of the capital for a country with several areas, and reports it', async () => {
    await using server = await openServer({ at: afternoon });
    const { area, prices, metadata } = await server.prices('se');
    assert.equal(area, 'SE');
    assert.equal(metadata.resolved_area, 'SE3');
    assert.deepEqual(prices, (await server.prices('SE_3')).prices);
  });

  test('returns several days from a date and lists missing ones', async () => {
    await using server = await openServer({ at: afternoon });
    const { prices, metadata } = await server.prices('DK1?date=2026-10-24&days=3');
    assert.equal(prices.length, 24 + 25 + 24);
    assert.equal(metadata.missing_dates, undefined);
    const end = await server.prices('DK1?date=2026-11-14&days=4');
    assert.equal(end.prices.length, 48);
    assert.deepEqual(end.metadata.missing_dates, ['2026-11-16', '2026-11-17']);
    assert.equal((await server.prices('DK1?days=1')).prices[0]?.datetime, '2026-11-13T23:00:00+00:00');
  });

  test('reports an hourly day as missing if quarter-hours are requested', async () => {
    await using server = await openServer({ at: afternoon });
    const { prices, metadata } = await server.prices('SE3?date=2025-09-30&days=2&resolution=PT15M');
    assert.deepEqual([prices.length, prices[0]?.datetime], [96, '2025-09-30T22:00:00+00:00']);
    assert.deepEqual(metadata.missing_dates, ['2025-09-30']);
    const hours = await server.prices('SE3?date=2025-09-30&days=2');
    assert.deepEqual([hours.prices.length, hours.metadata.missing_dates], [48, undefined]);
  });

  test('converts to another currency and reports the exchange rate', async () => {
    await using server = await openServer({ at: afternoon, fixedRates: { NOK: 11.5 } });
    const euro = await server.prices('NO2');
    for (const [currency, source] of [
      ['SEK', 'Simulated market'],
      ['nok', 'configured'],
    ] as const) {
      const other = await server.prices(`NO2?currency=${currency}`);
      assert.equal(other.currency, currency.toUpperCase());
      assert.equal(other.metadata.fx?.source, source);
      other.prices.forEach(({ price }, n) => {
        assert.ok(Math.abs(price - euro.prices[n]!.price * other.metadata.fx!.rate) < 1e-3);
      });
    }
  });

  for (const { path, status, says } of [
    { path: 'XX', status: 404, says: /not supported/ },
    { path: 'SE5', status: 404, says: /not supported/ },
    { path: '%00', status: 404, says: /not supported/ },
    { path: 'a'.repeat(300), status: 404, says: /not supported/ },
    { path: 'SE3?date=2026-02-30', status: 422, says: /date/ },
    { path: 'SE3?date=tomorrow', status: 422, says: /date/ },
    { path: 'SE3?date=', status: 422, says: /date/ },
    { path: 'SE3?days=0', status: 422, says: /1 to 31/ },
    { path: 'SE3?days=32', status: 422, says: /1 to 31/ },
    { path: 'SE3?days=1.5', status: 422, says: /1 to 31/ },
    { path: 'SE3?resolution=PT5M', status: 422, says: /PT60M or PT15M/ },
    { path: 'SE3?currency=KRONOR', status: 422, says: /three-letter/ },
    { path: 'SE3?currency=XXX', status: 422, says: /No exchange rate/ },
    { path: 'SE3?day=2026-01-01', status: 400, says: /not a known field/ },
    { path: 'SE3?date=2026-11-16', status: 404, says: /not published/ },
    { path: 'SE3?date=1999-01-01', status: 404, says: /No prices/ },
    { path: 'CH?resolution=PT15M', status: 404, says: /in steps of PT15M/ },
    { path: 'GB', status: 404, says: /No prices/ },
    { path: 'MT?date=2026-01-01', status: 404, says: /No prices/ },
  ]) {
    test(`${path.slice(0, 40)} is ${status}`, async () => {
      await using server = await openServer({ at: afternoon });
      const reply = await server.get(`/price/electricity/${path}`);
      assert.equal(reply.statusCode, status, reply.body);
      assert.match(reply.json().detail, says);
    });
  }

  test('returns 503 without a source and without stored prices, else stored prices with their age', async () => {
    await using server = await openServer({ at: afternoon });
    await server.prices('SE3');
    server.spot.market.setFault('outage');
    const reply = await server.get('/price/electricity/SE4');
    assert.equal(reply.statusCode, 503);
    assert.ok(Number(reply.headers['retry-after']) > 0);

    server.spot.clock.set(Date.parse('2026-11-15T13:00:07Z'));
    const { prices, metadata } = await server.prices('SE3'); // of the two days the first is known
    assert.equal(prices.length, 24);
    assert.equal(metadata.cached, true);
    assert.equal(metadata.age, 86_407);
  });

  test('returns 304 for known prices although their age changes', async () => {
    await using server = await openServer({ at: afternoon });
    await server.prices('SE3');
    const first = await server.get('/price/electricity/SE3');
    const { etag } = first.headers;
    server.spot.clock.advance(30 * 60_000);
    const again = await server.get('/price/electricity/SE3', { 'if-none-match': String(etag) });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    const whole = await server.get('/price/electricity/SE3', { 'if-none-match': '"other"' });
    assert.equal(whole.json().metadata.age, 1800);
    assert.deepEqual(whole.json().prices, first.json().prices);
  });

  test('changes with the day, and when tomorrow is published', async () => {
    await using server = await openServer({ at: '2026-11-14T11:20Z' });
    for (let n = 0; n < 3; n++) assert.equal((await server.prices('SE3')).prices.length, 24);
    server.spot.clock.set(Date.parse('2026-11-14T12:05Z'));
    assert.equal((await server.prices('SE3')).prices.length, 48);
    assert.equal((await server.prices('SE3')).metadata.cached, true);
    server.spot.clock.set(Date.parse('2026-11-14T23:00Z'));
    assert.equal((await server.prices('SE3')).prices[0]?.datetime, '2026-11-14T23:00:00+00:00');
  });

  test('starts with today if only a number of days is given, even right after midnight', async () => {
    await using server = await openServer({ at: '2026-11-14T22:55Z' });
    for (let n = 0; n < 3; n++)
      assert.equal((await server.prices('SE3?days=1')).prices[0]?.datetime, '2026-11-13T23:00:00+00:00');
    server.spot.clock.set(Date.parse('2026-11-14T23:00Z'));
    assert.equal((await server.prices('SE3?days=1')).prices[0]?.datetime, '2026-11-14T23:00:00+00:00');
  });
});

suite('the other routes, under both prefixes', () => {
  for (const prefix of ['/price/electricity', '/services/price/electricity']) {
    test(`${prefix}: areas, overview, health, prices`, async () => {
      await using server = await openServer({ at: afternoon });
      const { areas, count, metadata } = (await server.get(`${prefix}/areas`)).json();
      assert.equal(count, 39);
      assert.equal(areas.length, 39);
      assert.deepEqual(areas[0], { area: 'AT', country: 'Austria', code: findArea('AT')!.eic });
      assert.equal(metadata.provider, 'Simulated market');

      const overview = (await server.get(`${prefix}/`)).json();
      assert.equal(overview.version, '1.0.0');
      assert.equal(overview.statistics.total_areas, 39);
      assert.ok(overview.endpoints.some(({ path }: { path: string }) => path === `${prefix}/{area}`));
      assert.equal(overview.documentation.swagger, '/price/electricity/docs');

      assert.deepEqual((await server.get(`${prefix}/health`)).json(), { status: 'healthy' });
      assert.equal((await server.get(`${prefix}/LV`)).json().prices.length, 48);
    });
  }

  test('the overview has the time of the last fetch, even before a restart, else the start of the service', async () => {
    await using spot = await openSpot({ at: afternoon });
    const updatedAt = async (): Promise<string> => {
      const app = createSpotServer(spot);
      const { statistics } = (await app.inject('/price/electricity/')).json();
      await app.close();
      return statistics.last_updated;
    };
    assert.equal(await updatedAt(), '2026-11-14T13:00:00.000Z');
    spot.clock.advance(60_000);
    await spot.prices.day(findArea('SE3')!, '2026-11-14');
    spot.clock.advance(60_000);
    assert.equal(await updatedAt(), '2026-11-14T13:01:00.000Z');
    await spot.reopen();
    assert.equal(await updatedAt(), '2026-11-14T13:01:00.000Z');
  });
});
