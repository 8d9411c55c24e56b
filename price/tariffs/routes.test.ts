import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { openApi } from '#contract/openapi.ts';
import { servicesTariffRoutes, tariffRoutes as tariffContract } from '#contract/price/tariffs.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import type { Component, Tariff } from './eltariff.ts';
import { openPlaces, shippedPlaces } from './places/places.ts';
import { tariffRoutes } from './routes.ts';
import { createBook } from './tariff-book.ts';
import { createOpenServer, readShipped } from './testing/tariffs.ts';

const clock = createFakeClock(Date.UTC(2026, 10, 15, 12));
const tariffs = await readShipped();
const priceOf = async ({ price }: Component) => price; // no spot price is known
const deps = { tariffs, places: openPlaces({ folder: shippedPlaces }), clock, priceOf };
const { app, mount } = createOpenServer();
tariffRoutes(mount, tariffContract, deps);
tariffRoutes(mount, servicesTariffRoutes, deps);
after(() => app.close());

const get = async (url: string) => {
  const { statusCode, headers, body } = await app.inject({ method: 'GET', url });
  return { status: statusCode, headers, body: body === '' ? undefined : JSON.parse(body) };
};

const gnm63 = (year: number) =>
  tariffs
    .book()
    .findProvider('goteborg_energi_nat')!
    .tariffs.find(
      ({ product, validPeriod }) => product === 'GNM63' && validPeriod.fromIncluding.startsWith(`${year}`),
    )!;
const karlstad = '7a53c569-4537-5e9a-8903-0084760c1105';
const nobody = '00000000-0000-4000-8000-000000000000';

for (const [form, prefix] of [
  ['full', '/price/tariffs'],
  ['short', '/services/price/tariffs'],
] as const) {
  suite(`tariffs at ${prefix}`, () => {
    test('a position in Göteborg returns the tariffs of its operator', async () => {
      const { status, body } = await get(`${prefix}/lookup?lat=57.7&lon=11.97`);
      assert.equal(status, 200);
      const { tariffs: found, last_update, ...head } = body;
      assert.deepEqual(head, {
        lat: 57.7,
        lon: 11.97,
        area: 'SE3',
        tariff_provider_id: 'goteborg_energi_nat',
        count_total: 13,
      });
      assert.equal(last_update, form === 'full' ? '2025-12-03T11:00:00.000Z' : undefined);
      assert.equal(found.length, 13);
      const { id, name, product, companyName: company, validPeriod } = gnm63(2026);
      const first = { id, name, product, company, validPeriod };
      assert.deepEqual(found[0], form === 'full' ? { ...first, description: '' } : first);
    });

    test('an operator without tariffs is named', async () => {
      const { status, body } = await get(`${prefix}/lookup?lat=65.58&lon=22.15`);
      assert.equal(status, 200);
      assert.equal(body.tariff_provider_id, 'lulea_energi_elnat');
      assert.deepEqual([body.count_total, body.tariffs, body.area], [0, [], 'SE1']);
      const scannedAt = (await get(`${prefix}/providers`)).body.last_aggregation;
      assert.equal(body.last_update, form === 'full' ? scannedAt : undefined);
    });

    test('all operators are listed with the number and the validity of their tariffs', async () => {
      const { body } = await get(`${prefix}/providers`);
      const { providers, lastUpdated, last_aggregation, name, operator, ...head } = body;
      assert.deepEqual(head, {
        apiVersion: '0.2.0',
        implementationVersion: '1.0.0',
        timeZone: 'Europe/Stockholm',
        errors: null,
        identityProviderUrl: null,
        total_tariffs: 518,
        total_providers: 124,
        successful_providers: 124,
      });
      assert.equal(lastUpdated, '2026-09-01T00:00:00');
      assert.ok(name && operator && last_aggregation);
      assert.deepEqual(
        providers.find(({ id }: { id: string }) => id === 'ellevio'),
        {
          id: 'ellevio',
          name: 'Ellevio AB',
          country: 'SE',
          tariff_count: 16,
          valid_until: '2027-01-01',
          out_of_date: false,
        },
      );
      const current = providers.filter(
        (provider: { country: string; out_of_date: boolean }) => provider.country === 'SE' && !provider.out_of_date,
      );
      assert.equal(current.length, 18, 'Gävle and Jämtkraft have announced new prices, which are not known');
    });

    test('an operator is returned with its tariffs', async () => {
      const { body } = await get(`${prefix}/karlstads-elnat`);
      const { power_tariffs, ...head } = body;
      assert.deepEqual(head, {
        id: 'karlstads_elnat',
        name: 'Karlstads Elnät AB',
        power_tariff_count: 2,
        status: 'out_of_date',
        last_update: '2024-12-31T23:00:00.000Z',
      });
      assert.deepEqual(power_tariffs[0], {
        id: karlstad,
        name: 'Effekttariff 16–63 A',
        product: 'EFF-16-63A',
        provider: 'karlstads_elnat',
        description: 'Effekttariff 16–63 A, Karlstads Elnät AB. Prislista 2025.',
        companyName: 'Karlstads Elnät AB',
        validPeriod: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
        assumed: true,
        caveat: 'The reported high-load price is a sum; it is written here as its two parts, which add up.',
      });
    });

    for (const { town, lat, lon, area, fuse16, unknown } of [
      { town: 'Malmö', lat: 55.605, lon: 13.0, area: 'SE4', fuse16: ['SYENOR-16'], unknown: [] },
      { town: 'Norrköping', lat: 58.588, lon: 16.19, area: 'SE3', fuse16: ['SYENOR-16'], unknown: [] },
      { town: 'Järfälla', lat: 59.43, lon: 17.83, area: 'SE3', fuse16: ['GEENOR-16'], unknown: [] },
      { town: 'Sundsvall', lat: 62.39, lon: 17.3, area: 'SE2', fuse16: ['NDENOR-16'], unknown: [] },
      { town: 'Stockholm', lat: 59.33, lon: 18.06, area: 'SE3', fuse16: ['SAK-16A'], unknown: ['EFF-50A', 'EFF-63A'] },
    ]) {
      test(`the lookup in ${town} lists only the tariffs that are valid there`, async () => {
        const { body } = await get(`${prefix}/lookup?lat=${lat}&lon=${lon}`);
        type Found = { product: string; assumed?: true };
        const products = (isWanted: (found: Found) => boolean): string[] =>
          body.tariffs.filter(isWanted).map(({ product }: Found) => product);
        assert.equal(body.area, area);
        assert.deepEqual(
          products(({ product }) => /(NOR-16|SAK-16A)$/.test(product)),
          fuse16,
        );
        assert.deepEqual(
          products(({ assumed }) => assumed === true),
          unknown,
        );
      });
    }

    for (const [name, id] of [
      ['goteborg_energi', 'goteborg_energi_nat'],
      ['Sollentuna-Energi', 'sollentuna_elnat'],
    ]) {
      test(`${name} is an alias of ${id}`, async () => {
        const { status, body } = await get(`${prefix}/${name}`);
        assert.deepEqual([status, body], [200, (await get(`${prefix}/${id}`)).body]);
      });
    }

    test('a tariff is returned with its power, energy and fixed prices', async () => {
      const { body } = await get(`${prefix}/tariff/${gnm63(2026).id}`);
      const { tariff } = body;
      assert.deepEqual(Object.keys(tariff).sort(), [
        'billingPeriod',
        'companyName',
        'description',
        'direction',
        'energyPrice',
        'fixedPrice',
        'id',
        'lastUpdated',
        'name',
        'powerPrice',
        'product',
        'timeZone',
        'validPeriod',
      ]);
      const [{ name, description, ...power }] = tariff.powerPrice.components;
      assert.ok(name || description);
      assert.deepEqual(power, { priceExVat: 39.2, priceIncVat: 49, currency: 'SEK', pricedPeriod: 'kW' });
      assert.deepEqual(
        new Set(tariff.energyPrice.components.map((part: { pricedPeriod: string }) => part.pricedPeriod)),
        new Set(['kWh']),
      );
      assert.match(tariff.fixedPrice.components[0].pricedPeriod, /^P1[MY]$/);
      assert.equal(body.successor, undefined);
    });

    test('a spot-linked component is unpriced while the spot price is not known', async () => {
      const { id } = tariffs.book().findProvider('brittedals_elnat')!.tariffs[0]!;
      const spotPriceSettings = { multiplier: 0.09, currency: 'SEK' };
      const { components, unpriced } = (await get(`${prefix}/tariff/${id}`)).body.tariff.energyPrice;
      assert.deepEqual(
        unpriced.map(({ name: _, description: __, ...rest }: Component) => rest),
        [{ currency: 'SEK', spotPriceSettings, pricedPeriod: 'kWh' }],
      );
      const at = (await get(`${prefix}/tariff/${id}/energyPrice/2025-12-10T08:30:00`)).body;
      assert.deepEqual([at.unpriced.length, 'price' in at.unpriced[0]], [1, false]);
      assert.deepEqual(at.unpriced[0].spotPriceSettings, spotPriceSettings);
      for (const priced of [...components, ...at.components]) assert.ok(!('spotPriceSettings' in priced));
    });

    test('a missing description is empty', async () => {
      const { id } = gnm63(2026);
      const { power_tariffs } = (await get(`${prefix}/goteborg_energi_nat`)).body;
      const listed = power_tariffs.find((each: { id: string }) => each.id === id);
      const { tariff } = (await get(`${prefix}/tariff/${id}`)).body;
      const at = (await get(`${prefix}/tariff/${id}/fixedPrice/2026-02-01T12:00:00`)).body;
      assert.deepEqual([listed.description, tariff.description, at.description], ['', '', '']);
    });

    test('an expired tariff has a successor', async () => {
      const { body } = await get(`${prefix}/tariff/${gnm63(2025).id}`);
      assert.equal(body.successor.id, gnm63(2026).id);
      const at = await get(`${prefix}/tariff/${gnm63(2025).id}/powerPrice/2026-02-01T12:00:00`);
      assert.equal(at.status, 200);
      assert.deepEqual(at.body.components, []);
      assert.equal(at.body.successor.id, gnm63(2026).id);
    });

    test('the power prices at a time are those in force', async () => {
      const { body } = await get(`${prefix}/tariff/${karlstad}/powerPrice/2025-12-10T08:30:00`);
      const peakIdentificationSettings = {
        peakFunction: 'peak(main)',
        peakIdentificationPeriod: 'P1M',
        peakDuration: 'PT1H',
        numberOfPeaksForAverageCalculation: 1,
      };
      assert.deepEqual(body, {
        id: '761fd2df-9ec0-5e4b-aa65-dac762bab3b4',
        name: 'Effektpris',
        description: 'Effektavgift',
        costFunction: 'sum(peak(c)*price(c))',
        unit: 'kW',
        components: [
          {
            id: 'a6de46e4-4fca-571d-9a6e-bfca584c5d0e',
            name: 'Effektavgift',
            description: '',
            type: 'peak',
            reference: 'base',
            validPeriod: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
            price: { priceExVat: 34.84, priceIncVat: 43.55, currency: 'SEK' },
            peakIdentificationSettings,
          },
          {
            id: '89692c76-9234-569a-879b-76583d031caf',
            name: 'Effektavgift höglast',
            description: '',
            type: 'peak',
            reference: 'high_2',
            validPeriod: { fromIncluding: '2025-11-01', toExcluding: '2026-01-01' },
            price: { priceExVat: 59.32, priceIncVat: 74.15, currency: 'SEK' },
            peakIdentificationSettings,
          },
        ],
        datetime: '2025-12-10T08:30:00',
        tariff_id: karlstad,
        price_type: 'powerPrice',
      });
    });

    test('the energy and fixed prices at a time are those in force', async () => {
      const energy = (await get(`${prefix}/tariff/${karlstad}/energyPrice/2025-12-10T08:30:00`)).body;
      assert.deepEqual([energy.unit, energy.price_type, energy.components.length], ['kWh', 'energyPrice', 2]);
      const fixed = (await get(`${prefix}/tariff/${karlstad}/fixedPrice/2025-12-10T08:30:00`)).body;
      assert.equal(fixed.price_type, 'fixedPrice');
      assert.match(fixed.unit, /^P1[MY]$/);
      assert.equal(fixed.components[0].pricedPeriod, fixed.unit);
    });

    test('the overview lists all routes, with and without a trailing slash', async () => {
      const { body } = await get(`${prefix}/`);
      assert.deepEqual(body.statistics, { total_tariffs: 518, total_providers: 124 });
      assert.equal(body.version, '0.2.0');
      assert.equal(body.endpoints.length, 9);
      assert.equal(body.documentation.swagger, '/price/tariffs/docs');
      assert.deepEqual((await get(prefix)).body, body);
    });

    test('the health check succeeds', async () =>
      assert.deepEqual((await get(`${prefix}/health`)).body, { status: 'healthy' }));

    for (const [path, status] of [
      ['lookup', 422],
      ['lookup?lat=57.7', 422],
      ['lookup?lat=abc&lon=11.97', 422],
      ['lookup?lat=&lon=11.97', 422],
      ['lookup?lat=0x10&lon=11.97', 422],
      ['lookup?lat=1e1&lon=11.97', 422],
      ['lookup?lat=NaN&lon=Infinity', 422],
      ['lookup?lat=90.1&lon=11.97', 422],
      ['lookup?lat=57.7&lon=-180.5', 422],
      ['lookup?lat=57.7&lon=11.97&zoom=3', 400],
      ['lookup?lat=59.91&lon=10.75', 404], // Oslo
      ['lookup?lat=-33.9&lon=151.2', 404],
      ['lookup?lat=90&lon=180', 404],
      ['nobody', 404],
      ['..%2f..%2fetc%2fpasswd', 404],
      ['..%5cellevio', 404],
      ['ellevio.json', 404],
      ['%2e%2e%2fdata%2ftariffs%2fellevio', 404],
      ['__proto__', 404],
      ['ellevio%00', 400],
      [`tariff/${nobody}`, 404],
      ['tariff/constructor', 404],
      [`tariff/${nobody}/powerPrice/2025-12-10T08:30:00`, 404],
      [`tariff/${karlstad}/powerPrice/yesterday`, 422],
      [`tariff/${karlstad}/powerPrice/20251210`, 422],
      [`tariff/${karlstad}/powerPrice/253402300799999`, 422],
      [`tariff/${karlstad}/powerPrice/2025-02-30T08:30:00`, 422],
      [`tariff/${karlstad}/powerPrice/2025-12-10T25:00:00`, 422],
      [`tariff/${karlstad}/powerPrice/2025-12-10T08:30:00%00`, 422],
      [`tariff/${karlstad}/otherPrice/2025-12-10T08:30:00`, 404],
    ] as const) {
      test(`${path} is ${status}`, async () => {
        const { status: answered, headers, body } = await get(`${prefix}/${path}`);
        assert.equal(answered, status);
        assert.match(String(headers['content-type']), /^application\/problem\+json/);
        assert.ok(body.detail.length > 10);
      });
    }
  });
}

for (const [given, shown] of [
  ['2025-12-10T08:30:00Z', '2025-12-10T09:30:00'],
  ['2025-12-10T17:30:00+00:00', '2025-12-10T18:30:00'],
  ['2025-12-10T08:30:00%2B01:00', '2025-12-10T08:30:00'],
  ['2025-03-30T02:15:00', '2025-03-30T03:15:00'],
  ['2025-10-26T02:15:00', '2025-10-26T02:15:00'],
  ['2025-12-10T08:30', '2025-12-10T08:30:00'],
  ['1765351800', '2025-12-10T08:30:00'],
  ['1765351800000', '2025-12-10T08:30:00'],
]) {
  test(`${given} is read as ${shown}`, async () => {
    const { body } = await get(`/price/tariffs/tariff/${karlstad}/powerPrice/${given}`);
    assert.equal(body.datetime, shown);
  });
}

test('a component whose prices the operator publishes day by day is listed as unpriced', async () => {
  const provider = tariffs.book().findProvider('karlstads_elnat')!;
  const [{ powerPrice, ...tariff }] = structuredClone(provider.tariffs) as [Tariff];
  const [{ price: _, ...component }] = powerPrice.components as [Component];
  const url = 'https://natet.example/prices';
  const components = [{ ...component, type: 'dynamic', url }];
  const book = createBook([{ ...provider, tariffs: [{ ...tariff, powerPrice: { ...powerPrice, components } }] }]);
  const dynamic = createOpenServer();
  tariffRoutes(dynamic.mount, tariffContract, { ...deps, tariffs: { ...tariffs, book: () => book } });
  const at = `/price/tariffs/tariff/${karlstad}`;
  const [told] = (await dynamic.app.inject(at)).json().tariff.powerPrice.unpriced;
  assert.deepEqual(told, { name: component.name, currency: 'SEK', pricedPeriod: 'kW' });
  const [active] = (await dynamic.app.inject(`${at}/powerPrice/2025-12-10T08:30:00`)).json().unpriced;
  assert.deepEqual([active.url, 'price' in active], [url, false]);
  await dynamic.app.close();
});

test('an operator without tariffs was updated when its file was read', async () => {
  const provider = { id: 'nat_ab', name: 'Nät AB', country: 'SE' as const, tariffs: [], calendarPatterns: [] };
  const empty = createOpenServer();
  const book = createBook([provider]);
  tariffRoutes(empty.mount, tariffContract, { ...deps, tariffs: { ...tariffs, book: () => book } });
  const { last_update } = (await empty.app.inject('/price/tariffs/nat_ab')).json();
  assert.equal(last_update, new Date(tariffs.scannedAt()).toISOString());
  await empty.app.close();
});

test('an alias does not hide an operator with that id', () => {
  const [one, other] = ['goteborg_energi_nat', 'goteborg_energi'].map((id) => ({
    ...tariffs.book().findProvider('goteborg_energi_nat')!,
    id,
  }));
  assert.equal(createBook([one!, other!]).findProvider('goteborg_energi'), other);
  assert.equal(createBook([one!]).findProvider('goteborg_energi'), one);
});

test('an unchanged answer returns 304', async () => {
  const { etag } = (await get('/price/tariffs/ellevio')).headers;
  const again = await app.inject({
    method: 'GET',
    url: '/price/tariffs/ellevio',
    headers: { 'if-none-match': String(etag) },
  });
  assert.equal(again.statusCode, 304);
});

test('every route has a description', () => {
  const routes = [...Object.values(tariffContract), ...Object.values(servicesTariffRoutes)];
  const document = openApi({ title: 'Tariffs', version: '0', description: '', routes });
  assert.equal(Object.keys(document.paths).length, 18);
});
