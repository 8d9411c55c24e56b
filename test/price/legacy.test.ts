import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { findArea } from '#price/electricity/areas.ts';
import { dayFromPeriods, readA44 } from '#price/electricity/entsoe.ts';
import { atResolution, marketDay } from '#price/electricity/market-day.ts';
import { openPrice, type TestPrice } from './open-price.ts';

const area = findArea('SE3')!;
const [today, tomorrow] = ['2026-01-14', '2026-01-15'];

/** The prices of a day as a reader of market documents finds them. */
function pricesIn(xml: string, date: string) {
  const read = readA44(xml, area.eic);
  assert.ok(typeof read === 'object');
  return dayFromPeriods(read.periods, marketDay(area, date));
}

const resolutionsIn = (xml: string): string[] => [
  ...new Set([...xml.matchAll(/<resolution>(.*?)<\/resolution>/g)].map(([, found]) => found!)),
];

suite('prices in the earlier form', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice();
  });
  after(() => price[Symbol.asyncDispose]());

  test('equal those of the current form, in hours', async () => {
    const { body, status } = await price.get('/price/prices/SE3?format=json');
    assert.equal(status, 200);
    const { prices, last_updated, ...rest } = body;
    assert.deepEqual(rest, { area: 'SE3', currency: 'EUR', unit: 'MWh', provider: 'Simulated market' });
    assert.deepEqual(Object.keys(prices[0]), ['start_time', 'end_time', 'price']);
    const { body: newer } = await price.get('/price/electricity/SE3');
    assert.deepEqual(
      prices.map(({ start_time, price: each }: { start_time: string; price: number }) => [
        Date.parse(start_time),
        each,
      ]),
      newer.prices.map(({ datetime, price: each }: { datetime: string; price: number }) => [
        Date.parse(datetime),
        each,
      ]),
    );
    assert.equal(last_updated, '2026-01-14T15:00:00.000Z');
    assert.equal((await price.get('/price/prices/SE3?format=json&resolution=PT15M')).body.prices.length, 192);
  });

  for (const { query, resolution } of [
    { query: '', resolution: 'PT60M' },
    { query: '?resolution=PT60M', resolution: 'PT60M' },
    { query: '?resolution=PT15M', resolution: 'PT15M' },
  ] as const) {
    for (const path of ['prices/SE3', 'providers/simulated/prices/SE3']) {
      test(`${path}${query} is a market document of both days in steps of ${resolution}`, async () => {
        const { text, headers, status } = await price.get(`/price/${path}${query}`);
        assert.equal(status, 200);
        assert.match(String(headers['content-type']), /^application\/xml/);
        assert.equal(headers['x-price-provider'], 'Simulated market');
        assert.deepEqual(resolutionsIn(text), [resolution]);
        for (const date of [today, tomorrow]) {
          const { points } = (await price.service.prices.day(area, date))!;
          assert.deepEqual(pricesIn(text, date), atResolution(points, resolution));
        }
      });

      test(`${path}${query} has the prices of the JSON form in the same resolution`, async () => {
        const { text } = await price.get(`/price/${path}${query}`);
        const { body } = await price.get(`/price/${path}${query}${query ? '&' : '?'}format=json`);
        const points = [today, tomorrow].flatMap((date) => pricesIn(text, date) ?? []);
        assert.deepEqual(
          points.map((point) => [point.start, point.end, point.eur_per_mwh]),
          body.prices.map((each: { start_time: string; end_time: string; price: number }) => [
            Date.parse(each.start_time),
            Date.parse(each.end_time),
            each.price,
          ]),
        );
      });
    }
  }

  test('before tomorrow is published, the stored document is sent in its own resolution and rebuilt in another', async () => {
    await using early = await openPrice({}, Date.parse('2026-01-14T08:00:00Z'));
    const stored = await early.service.prices.raw(area, today);
    assert.deepEqual(resolutionsIn(stored!), ['PT15M']);
    assert.equal((await early.get('/price/prices/SE3?resolution=PT15M')).text, stored);
    const { text } = await early.get('/price/prices/SE3');
    const { points } = (await early.service.prices.day(area, today))!;
    assert.deepEqual([resolutionsIn(text), pricesIn(text, today)], [['PT60M'], atResolution(points, 'PT60M')]);
  });

  test('of half-hours are rebuilt as hours, in a document of the Central European day', async () => {
    await using early = await openPrice({}, Date.parse('2026-01-14T08:00:00Z'));
    const { text } = await early.get('/price/prices/IE');
    assert.deepEqual(resolutionsIn(text), ['PT60M']);
    assert.match(text, /<start>2026-01-13T23:00Z<\/start><end>2026-01-14T23:00Z<\/end>/);
  });

  test('of an area have an ETag', async () => {
    const { headers } = await price.get('/price/prices/SE3?format=json');
    assert.ok(headers.etag);
  });

  test('of an unknown area are answered with 404 and a detail', async () => {
    const { status, body } = await price.get('/price/prices/XX?format=json');
    assert.deepEqual([status, body.detail], [404, 'The area XX is not supported.']);
  });

  for (const code of ['GB', 'MT', 'TR', 'BA']) {
    test(`of ${code} are reported missing`, async () => {
      const { status, body, headers } = await price.get(`/price/prices/${code}`);
      assert.equal(status, 404);
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.deepEqual(Object.keys(body), ['error', 'area', 'provider', 'message', 'status']);
      assert.deepEqual([body.area, body.provider, body.status], [code, 'Simulated market', 'no_data']);
    });
  }

  test('of a provider are its own', async () => {
    const { body } = await price.get('/price/providers/simulated/prices/SE3?format=json');
    assert.deepEqual(body, (await price.get('/price/prices/SE3?format=json')).body);
    assert.ok((await price.get('/price/providers/simulated/prices/SE3')).text.includes('<type>A44</type>'));
  });

  test('of a provider are found by every name in an answer', async () => {
    const { available_providers } = (await price.get('/price/providers')).body;
    for (const [id, name] of Object.entries<string>(available_providers)) {
      const path = (provider: string) => `/price/providers/${encodeURIComponent(provider)}/prices/SE3?format=json`;
      const { status, text } = await price.get(path(id));
      for (const other of [name, name.toLowerCase(), name.toUpperCase(), id.toUpperCase(), id.replaceAll('_', '-')]) {
        const again = await price.get(path(other));
        assert.deepEqual([again.status, again.text], [status, text], other);
      }
    }
  });

  test('of a provider that is unused or unknown are answered with 404', async () => {
    const { status, body } = await price.get('/price/providers/entsoe/prices/SE3');
    assert.deepEqual([status, body.status, body.provider], [404, 'no_data', 'entsoe']);
    const unknown = await price.get('/price/providers/acme/prices/SE3');
    assert.deepEqual([unknown.status, unknown.body.status], [404, 404]);
  });

  for (const path of ['prices/SE3', 'providers/simulated/prices/SE3']) {
    for (const query of ['format=csv', 'format=', 'resolution=PT5M']) {
      test(`${path}?${query} is refused`, async () =>
        assert.equal((await price.get(`/price/${path}?${query}`)).status, 422));
    }

    for (const [written, format] of [
      ['JSON', 'json'],
      ['Json', 'json'],
      ['XML', 'xml'],
    ]) {
      test(`${path} are ${format} when ${written} is requested`, async () => {
        const { status, text } = await price.get(`/price/${path}?format=${written}`);
        assert.deepEqual([status, text], [200, (await price.get(`/price/${path}?format=${format}`)).text]);
      });
    }
  }

  test('name 55 areas and their sources', async () => {
    const { body } = await price.get('/price/areas');
    assert.deepEqual([body.total_count, body.supported_areas.length], [55, 55]);
    assert.deepEqual(body.supported_areas.at(0), { name: 'AT', country: 'Austria', code: '10YAT-APG------L' });
    const { body: providers } = await price.get('/price/providers');
    assert.equal(providers.available_providers.entsoe, 'ENTSO-E');
    assert.deepEqual(Object.keys(providers.active_providers), ['simulated']);
    assert.equal(providers.total_active, 1);
    const { body: health } = await price.get('/price/health');
    assert.deepEqual(health, { status: 'healthy', active_providers: 1, providers: ['simulated'] });
  });
});

suite('several providers', () => {
  test('are each asked for their own prices, once, and kept apart', async () => {
    const real = { PRICE_SIMULATED_URL: '', ENTSOE_TOKEN: 'secret' };
    await using first = await openPrice();
    const { entsoeUrl, keylessUrls, requestedPaths: asked } = first.market;
    const urls = Object.entries(keylessUrls)
      .map((pair) => pair.join('='))
      .join(',');
    await using price = await openPrice({ ...real, ENTSOE_URL: entsoeUrl, PRICE_SOURCE_URLS: urls });
    const { body: providers } = await price.get('/price/providers');
    assert.deepEqual(Object.keys(providers.active_providers).slice(0, 2), ['entsoe', 'energy_charts']);

    const before = asked.length;
    for (let time = 0; time < 3; time++) {
      const { status, body } = await price.get('/price/providers/energy-charts/prices/SE4?format=json');
      assert.deepEqual(
        [status, body.prices?.length, body.provider],
        [200, 48, 'Simulated market'],
        JSON.stringify(body),
      );
    }
    assert.equal(asked.length - before, 2); // two days
    const { status, body } = await price.get('/price/providers/elering/prices/SE4');
    assert.deepEqual([status, body.status], [404, 'no_data']);
  });

  test('that do not answer are 503, and asked again', async () => {
    await using price = await openPrice();
    price.market.setFault('hang up');
    assert.equal((await price.get('/price/providers/simulated/prices/SE3?format=json')).status, 503);
    price.market.setFault(undefined);
    assert.equal((await price.get('/price/providers/simulated/prices/SE3?format=json')).status, 200);
  });
});

suite('power tariffs in the earlier form', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice();
  });
  after(() => price[Symbol.asyncDispose]());

  test('exist for every operator that charges for power', async () => {
    const { body } = await price.get('/price/power-tariff/providers');
    assert.equal(body.total_count, body.supported_providers.length);
    assert.ok(body.total_count > 35, String(body.total_count));
    for (const { provider } of body.supported_providers) {
      const { status, body: rules } = await price.get(`/price/power-tariff/${provider}/rules`);
      assert.equal(status, 200);
      assert.deepEqual(
        Object.keys(rules).filter((key) => !['note', 'assumed', 'valid_from', 'valid_to'].includes(key)),
        ['provider', 'country', 'currency', 'fuse_sizes', 'pricing_rules', 'num_peaks', 'holidays'],
      );
      assert.ok(Object.keys(rules.pricing_rules).length > 0);
      const told = await price.get(`/price/power-tariff/${provider}`);
      assert.deepEqual([told.status, told.body.provider], [200, provider]);
    }
  });

  test('have rules for the fuses that they apply to; the operator has all of them', async () => {
    const sizes = async (path: string): Promise<string[]> =>
      (await price.get(`/price/power-tariff/goteborg_energi_nat${path}`)).body.fuse_sizes;
    assert.deepEqual(await sizes('/rules'), ['16A', '20A', '25A', '35A', '50A', '63A']);
    assert.equal((await sizes('')).at(-1), '1000A');
    const at = 'timestamp=2026-01-14T08:30:00&fuse_size=80A';
    const { body } = await price.get(`/price/power-tariff/goteborg_energi_nat/calculate?${at}`);
    assert.equal(body.final_price_per_kw, 82.875);
  });

  test('are found by the other names of an operator too', async () => {
    for (const path of ['', '/rules', '/calculate?timestamp=2025-12-10T08:30:00']) {
      const { status, body } = await price.get(`/price/power-tariff/goteborg_energi${path}`);
      assert.deepEqual([status, body.provider], [200, 'goteborg_energi_nat']);
    }
    assert.equal((await price.get('/eltariff/goteborg_energi/info')).status, 200);
  });

  const ask = (query: string) => price.get(`/price/power-tariff/ellevio/calculate?${query}`);

  for (const { title, timestamp, multiplier, final } of [
    { title: 'by day is the whole price', timestamp: '2025-12-10T08:30:00', multiplier: 1, final: 81.25 },
    { title: 'by night is half of it', timestamp: '2025-12-10T23:30:00', multiplier: 0.5, final: 40.625 },
    {
      title: 'with an offset is converted to Swedish time',
      timestamp: '2025-12-10T21:30:00Z',
      multiplier: 0.5,
      final: 40.625,
    },
    { title: 'in Unix seconds too', timestamp: '1765351800', multiplier: 1, final: 81.25 },
    { title: 'of a later year uses the newest list', timestamp: '2026-12-10T08:30:00', multiplier: 1, final: 81.25 },
  ]) {
    test(`a kilowatt ${title}`, async () => {
      const { status, body } = await ask(`timestamp=${timestamp}`);
      assert.equal(status, 200);
      assert.deepEqual(
        [body.timestamp, body.multiplier, body.base_price_per_kw, body.final_price_per_kw, body.fuse_size],
        [timestamp, multiplier, 81.25, final, null],
      );
      assert.equal(body.applied_rules.length, 1);
      const { assumed, valid_from, valid_to } = body;
      const expected = timestamp.startsWith('2026')
        ? [true, '2026-01-01', '2026-06-01']
        : [undefined, undefined, undefined];
      assert.deepEqual([assumed, valid_from, valid_to], expected);
    });
  }

  test('the rules of an expired price list say so, with its dates', async () => {
    for (const path of ['karlstads_elnat/rules', 'karlstads_elnat']) {
      const { assumed, valid_from, valid_to } = (await price.get(`/price/power-tariff/${path}`)).body;
      assert.deepEqual([assumed, valid_from, valid_to], [true, '2025-01-01', '2026-01-01']);
    }
    assert.ok(!('assumed' in (await price.get('/price/power-tariff/goteborg_energi_nat/rules')).body));
  });

  test('the time of an answer has its offset, also if the + was not escaped', async () => {
    for (const [sent, answered] of [
      ['2025-12-10T08:30:00+01:00', '2025-12-10T08:30:00+01:00'],
      ['2025-12-10T08:30:00.5%2B0100', '2025-12-10T08:30:00.5+0100'],
      ['2025-12-10+08:30', '2025-12-10 08:30'],
    ]) {
      assert.equal((await ask(`timestamp=${sent}`)).body.timestamp, answered);
    }
  });

  test('a fuse without a power charge costs nothing per kilowatt', async () => {
    const { status, body } = await ask('timestamp=2026-12-10T08:30:00&fuse_size=16A');
    assert.deepEqual([status, body.applied_rules, body.final_price_per_kw, body.multiplier], [200, [], 0, 1]);
  });

  test('rules that apply at the same time add up', async () => {
    const { body } = await price.get(
      '/price/power-tariff/karlstads_elnat/calculate?timestamp=2025-12-10T08:30:00&fuse_size=16A',
    );
    assert.deepEqual([body.applied_rules.length, body.base_price_per_kw, body.fuse_size], [2, 117.7, '16A']);
  });

  for (const { title, query, status } of [
    { title: 'no time', query: '', status: 422 },
    { title: 'an invalid time', query: 'timestamp=soon', status: 422 },
    { title: 'an unknown fuse', query: 'timestamp=2025-12-10T08:30:00&fuse_size=17A', status: 422 },
    { title: 'a misspelt option', query: 'timestamp=2025-12-10T08:30:00&fuse=16A', status: 400 },
  ]) {
    test(`${title} is refused with ${status}`, async () => assert.equal((await ask(query)).status, status));
  }

  test('an unknown operator is answered with 404', async () => {
    for (const path of ['', '/rules', '/calculate?timestamp=2025-12-10T08:30:00']) {
      assert.equal((await price.get(`/price/power-tariff/acme${path}`)).status, 404);
    }
  });
});
