import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import type { TotalInterval } from '#contract/price/total.ts';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openPrice, type TestPrice } from './open-price.ts';

const goteborg = '2d3d3e89-9fb0-4db4-be93-806a0e891fe8'; // GNM63 of 2026
const goteborgBefore = '5621c26d-6ad0-4b04-9274-42d287feece1'; // the same of 2025
const karlstad = '7a53c569-4537-5e9a-8903-0084760c1105'; // up to December 2025
const berg = '035b3a16-bdef-5803-a7fa-0299e1a1b082'; // up to September 2026
const ellevio = 'bcf661b4-9bad-5b0f-bc71-350a35023c36'; // of 2025 alone

/** Millionths, read from the digits of the number. */
const exact = (amount: number): bigint => BigInt(Math.round(amount * 1e6));

const partOf = ({ parts }: TotalInterval, kind: string) => parts.filter((part) => part.kind === kind);

suite('the total price', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice();
  });
  after(() => price[Symbol.asyncDispose]());

  test('of today and tomorrow consists of spot price, energy tax and VAT', async () => {
    const { status, body } = await price.get('/price/total?area=SE3');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.area, body.tariff_id, body.currency, body.unit, body.resolution, body.intervals.length],
      ['SE3', null, 'SEK', 'kWh', 'PT60M', 48],
    );
    assert.equal(body.intervals[0].start, '2026-01-13T23:00:00.000Z');
    assert.deepEqual(
      body.intervals[0].parts.map(({ kind }: { kind: string }) => kind),
      ['spot', 'energy_tax', 'vat'],
    );
    assert.equal(body.intervals[0].parts[1].amount, 0.36);
    assert.deepEqual([body.metadata.provider, body.metadata.is_simulated], ['Simulated market', true]);
    assert.match(body.metadata.notes.join(' '), /grid fees are not included/);
  });

  test('has the spot price of the same hour in kronor, and that of its quarters', async () => {
    const { body } = await price.get('/price/total?area=SE3');
    const { body: market } = await price.get('/price/electricity/SE3');
    const { rate, source } = body.metadata.fx;
    assert.equal(source, 'Simulated market');
    for (const [n, { start, parts }] of body.intervals.entries()) {
      assert.equal(Date.parse(start), Date.parse(market.prices[n].datetime));
      assert.ok(Math.abs(parts[0].amount - (market.prices[n].price * rate) / 1000) < 1.1e-6);
    }
    const { body: quarters } = await price.get('/price/total?area=SE3&resolution=PT15M&vat=0');
    const { body: hours } = await price.get('/price/total?area=SE3&vat=0');
    assert.equal(quarters.intervals.length, 192);
    for (const [n, { total }] of hours.intervals.entries()) {
      const four = quarters.intervals.slice(4 * n, 4 * n + 4) as TotalInterval[];
      assert.ok(Math.abs(total - four.reduce((sum, quarter) => sum + quarter.total, 0) / 4) < 2e-6);
    }
  });

  test('with a tariff has its fees, each with its source and rule', async () => {
    const { body } = await price.get(`/price/total?area=SE3&tariff_id=${goteborg}&markup=0.08`);
    const [interval] = body.intervals;
    const told = interval.parts
      .slice(1)
      .map(({ kind, amount, source, rule }: Record<string, unknown>) => [kind, amount, source, rule]);
    const [name, company] = ['Småhus och företag, Max 63A', 'Göteborg Energi Nät AB'];
    assert.deepEqual(told.slice(0, 3), [
      ['markup', 0.08, 'your request', undefined],
      ['grid_energy', told[1][1], company, `${name}: Elöverföringsavgift`],
      ['energy_tax', 0.36, company, `${name}: Energiskatt`],
    ]);
    assert.ok(told[1][1] > 0);
    assert.deepEqual(body.metadata.notes, []);
  });

  test('changes from the tariff of one year to that of the next', async () => {
    const query = `area=SE3&tariff_id=${goteborgBefore}&from=2025-12-31&to=2026-01-02`;
    const { body } = await price.get(`/price/total?${query}`);
    const taxes = body.intervals.map((interval: TotalInterval) => partOf(interval, 'energy_tax')[0]!.amount);
    assert.deepEqual([taxes[23], taxes[24]], [0.439, 0.36]);
  });

  test('before the first price list of the tariff is refused', async () => {
    const { status, body } = await price.get(
      `/price/total?area=SE3&tariff_id=${ellevio}&from=2024-12-30&to=2024-12-31`,
    );
    assert.equal(status, 422);
    assert.match(body.detail, /known from 2025-01-01 to 2026-01-01 \(excluding\), not on 2024-12-30/);
  });

  test('begins with the first price list, and names the days before it', async () => {
    const range = 'area=SE3&from=2024-12-30&to=2025-01-03';
    const { status, body } = await price.get(`/price/total?${range}&tariff_id=${ellevio}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.intervals.length, 48);
    assert.ok(body.intervals.every((interval: TotalInterval) => partOf(interval, 'grid_energy').length > 0));
    const { missing_points, uncovered_dates, notes, assumed } = body.metadata;
    assert.deepEqual([missing_points, assumed], [48, undefined]);
    assert.deepEqual(uncovered_dates, ['2024-12-30', '2024-12-31']);
    assert.match(notes.join(' '), /not on 2024-12-30 and 1 other day/);

    const { body: free } = await price.get(`/price/total?${range}`);
    assert.deepEqual([free.metadata.missing_points, free.metadata.uncovered_dates], [0, undefined]);
  });

  test('after the last price list is assumed from it, with the energy tax of the new year', async () => {
    const range = 'area=SE3&from=2025-12-31&to=2026-01-02';
    const { status, body } = await price.get(`/price/total?${range}&tariff_id=${karlstad}`);
    assert.equal(status, 200, JSON.stringify(body));
    const intervals: TotalInterval[] = body.intervals;
    assert.equal(intervals.length, 48);
    assert.equal(new Set(intervals.map((each) => partOf(each, 'grid_energy')[0]!.amount)).size, 1);
    const taxes = intervals.map((each) => partOf(each, 'energy_tax')[0]!.amount);
    assert.deepEqual([taxes[0], taxes[23], taxes[24], taxes[47]], [0.439, 0.439, 0.36, 0.36]);
    const { assumed, assumed_tariffs, missing_points, notes } = body.metadata;
    assert.deepEqual([assumed, missing_points], [true, 0]);
    assert.deepEqual(assumed_tariffs, [
      {
        id: karlstad,
        name: 'Effekttariff 16–63 A',
        validPeriod: { fromIncluding: '2025-01-01', toExcluding: '2026-01-01' },
      },
    ]);
    assert.match(notes.join(' '), /"Effekttariff 16–63 A" was valid from 2025-01-01 to 2026-01-01 \(excluding\)/);
  });

  test('on the last day of a price list includes tomorrow once it is published, as do the cheapest hours', async () => {
    await using market = await openPrice({}, Date.parse('2026-09-30T09:00:00Z'));
    const ask = async () => {
      const { status, body } = await market.get(`/price/total?area=SE2&tariff_id=${berg}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    const { intervals, metadata } = await ask();
    assert.deepEqual([intervals.length, metadata.assumed], [24, undefined]);
    market.clock.set(Date.parse('2026-09-30T13:00:00Z'));
    const later = await ask();
    assert.deepEqual([later.intervals.length, later.metadata.assumed], [48, true]);
    assert.deepEqual(later.intervals.slice(0, 24), intervals);
    const { status, body } = await market.get(`/price/cheapest?area=SE2&tariff_id=${berg}&hours=10`);
    assert.deepEqual([status, body.metadata?.assumed], [200, true], JSON.stringify(body));
  });

  for (const { title, query, tax } of [
    { title: 'in Gothenburg has the full tax', query: 'lat=57.70&lon=11.97', tax: 0.36 },
    { title: 'in Kiruna has the reduced tax', query: 'lat=67.85&lon=20.23', tax: 0.264 },
    { title: 'in Mora has the reduced tax', query: 'lat=61.00&lon=14.54', tax: 0.264 },
  ]) {
    test(title, async () => {
      const { status, body } = await price.get(`/price/total?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(partOf(body.intervals[0], 'energy_tax')[0]!.amount, tax);
    });
  }

  test('abroad omits unknown parts, and says so', async () => {
    const { body } = await price.get('/price/total?area=DE');
    assert.equal(body.currency, 'EUR');
    assert.deepEqual(
      body.intervals[0].parts.map(({ kind }: { kind: string }) => kind),
      ['spot'],
    );
    assert.deepEqual([body.metadata.vat_percent, body.metadata.fx, body.metadata.notes.length], [0, null, 3]);
    const { body: withVat } = await price.get('/price/total?area=DE&vat=19');
    assert.equal(withVat.intervals[0].parts.at(-1).kind, 'vat');
    assert.equal(withVat.metadata.notes.length, 2);
  });

  test('of a country is that of its capital', async () => {
    const { body } = await price.get('/price/total?area=se');
    assert.deepEqual([body.area, body.metadata.resolved_area], ['SE', 'SE3']);
  });

  test('of a day when the clocks change has 23 or 25 hours', async () => {
    for (const [day, next, hours] of [
      ['2025-03-30', '2025-03-31', 23],
      ['2025-10-26', '2025-10-27', 25],
    ] as const) {
      const { body } = await price.get(`/price/total?area=SE3&from=${day}&to=${next}`);
      assert.equal(body.intervals.length, hours);
    }
  });

  test('of future days covers the published ones', async () => {
    const { body } = await price.get('/price/total?area=SE3&to=2026-01-20');
    assert.deepEqual([body.metadata.total_points, body.metadata.missing_points], [48, 96]);
  });

  test('from a past day covers known prices, at most a year', async () => {
    const { body } = await price.get('/price/total?area=SE3&from=2026-01-05');
    assert.deepEqual([body.intervals.length, body.metadata.missing_points], [11 * 24, 0]);
    assert.equal(body.intervals.at(-1).end, '2026-01-15T23:00:00.000Z');
    await using other = await openPrice(); // a year is more than the market may be asked for in a minute
    const { metadata } = (await other.get('/price/total?area=SE3&from=2024-06-01')).body;
    assert.equal(metadata.total_points + metadata.missing_points, 366 * 24);
  });

  test('of today and tomorrow around a clock change has 47 hours', async () => {
    await using march = await openPrice({}, Date.parse('2026-03-28T15:00:00Z'));
    assert.equal((await march.get('/price/total?area=SE3')).body.intervals.length, 47);
  });

  test('is refused in hours that the tariff divides', async (t) => {
    const folder = temporaryFolder(t);
    const shipped = readFileSync(join(root, 'price/data/tariffs/ellevio.json'), 'utf8');
    const divided = shipped.replace(
      '"price": [0.05, 0.0625] }',
      '"price": [0.05, 0.0625], "when": { "main": ["06:30-22:00"] } }',
    );
    assert.notEqual(divided, shipped);
    writeFileSync(join(folder, 'ellevio.json'), divided);
    await using other = await openPrice({ TARIFF_DIR: folder });
    const query = `area=SE3&tariff_id=${ellevio}&from=2025-12-10&to=2025-12-11`;
    assert.equal((await other.get(`/price/total?${query}`)).status, 422);
    const { body } = await other.get(`/price/total?${query}&resolution=PT15M`);
    const charged = body.intervals.map((interval: TotalInterval) => partOf(interval, 'grid_energy').length);
    assert.deepEqual([charged[25], charged[26], charged[87], charged[88]], [0, 1, 1, 0]);
  });

  for (const { title, query, status } of [
    { title: 'without an area', query: '', status: 422 },
    { title: 'of an unknown area', query: 'area=XX', status: 404 },
    { title: 'of an area without a market', query: 'area=MT', status: 404 },
    { title: 'of a position outside of Sweden', query: 'lat=52.5&lon=13.4', status: 404 },
    { title: 'of half a position', query: 'lat=57.7', status: 422 },
    { title: 'of no position', query: 'lat=north&lon=11', status: 422 },
    { title: 'with an unknown tariff', query: `area=SE3&tariff_id=${goteborg.replace('2', '3')}`, status: 404 },
    { title: 'with a tariff in another currency', query: `area=DE&tariff_id=${goteborg}`, status: 422 },
    { title: 'from an invalid date', query: 'area=SE3&from=2026-02-31', status: 422 },
    { title: 'to before its beginning', query: 'area=SE3&from=2026-01-02&to=2026-01-01', status: 422 },
    { title: 'at the end of all calendars', query: 'area=SE3&from=9999-12-30', status: 422 },
    { title: 'from an instant of the year 10000', query: 'area=SE3&from=253402300800000', status: 422 },
    { title: 'of more than a year', query: 'area=SE3&from=2024-01-01&to=2026-01-01', status: 422 },
    { title: 'of days without prices', query: 'area=SE3&from=2026-06-01', status: 404 },
    { title: 'in steps of a minute', query: 'area=SE3&resolution=PT1M', status: 422 },
    { title: 'with too much VAT', query: 'area=SE3&vat=101', status: 422 },
    { title: 'with an invalid markup', query: 'area=SE3&markup=1e999', status: 422 },
    { title: 'with a misspelt option', query: 'area=SE3&tarif_id=x', status: 400 },
  ]) {
    test(`${title} is refused with ${status}`, async () => {
      const { status: answered, body, headers } = await price.get(`/price/total?${query}`);
      assert.equal(answered, status, JSON.stringify(body));
      assert.equal(headers['content-type'], 'application/problem+json');
      assert.ok(body.detail);
    });
  }

  test('adds up to the last digit, whatever the terms', async () => {
    const vats: Readonly<Record<string, number>> = { SE: 25, NO: 25, FI: 25.5 };
    const terms = fc.record({
      area: fc.constantFrom('SE1', 'SE2', 'SE3', 'SE4', 'NO1', 'FI', 'PL'),
      resolution: fc.constantFrom('PT15M', 'PT60M'),
      vat: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
      markup: fc.option(fc.double({ min: -2, max: 2, noNaN: true }), { nil: undefined }),
      tariff_id: fc.constantFrom(undefined, goteborg),
    });
    await fc.assert(
      fc.asyncProperty(terms, async ({ tariff_id, ...rest }) => {
        const isSwedish = rest.area.startsWith('SE');
        const given = { ...rest, ...(isSwedish && tariff_id && { tariff_id }) };
        const query = Object.entries(given)
          .filter(([, value]) => value !== undefined)
          .map((pair) => pair.join('='));
        const { status, text } = await price.get(`/price/total?${query.join('&')}`);
        assert.equal(status, 200, text);
        for (const { total, parts } of JSON.parse(text).intervals as TotalInterval[]) {
          assert.equal(
            parts.reduce((sum, { amount }) => sum + exact(amount), 0n),
            exact(total),
          );
          for (const { amount } of parts) assert.equal(Number(exact(amount)) / 1e6, amount);
          const tax = parts.find(({ kind }) => kind === 'vat')?.amount ?? 0;
          const percent = given.vat ?? vats[given.area.slice(0, 2)] ?? 0;
          assert.ok(Math.abs(tax - ((total - tax) * percent) / 100) < 0.6e-6);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is served from stored prices when the market is unavailable, and refused without them', async () => {
    await using other = await openPrice();
    await other.get('/price/total?area=SE3&from=2026-01-14&to=2026-01-15');
    other.market.setFault('hang up');
    const { status, body } = await other.get('/price/total?area=SE3&from=2026-01-14&to=2026-01-16');
    assert.deepEqual([status, body.intervals.length, body.metadata.missing_points], [200, 24, 24]);
    const { status: nothing, headers } = await other.get('/price/total?area=SE4');
    assert.deepEqual([nothing, headers['retry-after'] !== undefined], [503, true]);
  });
});

suite('the cheapest window', () => {
  let price: TestPrice;
  before(async () => {
    price = await openPrice();
  });
  after(() => price[Symbol.asyncDispose]());

  test('is the cheapest of all by total price', async () => {
    for (const { hours, resolution } of [
      { hours: 1, resolution: 'PT60M' },
      { hours: 3, resolution: 'PT60M' },
      { hours: 2.25, resolution: 'PT15M' },
    ]) {
      const terms = `area=SE3&tariff_id=${goteborg}&resolution=${resolution}`;
      const { body } = await price.get(`/price/cheapest?${terms}&hours=${hours}&before=2026-01-16`);
      const { body: all } = await price.get(`/price/total?${terms}&from=2026-01-14T15:00:00Z&to=2026-01-16`);
      const length = resolution === 'PT15M' ? hours * 4 : hours;
      const sums = (all.intervals as TotalInterval[])
        .map((_, n) => all.intervals.slice(n, n + length) as TotalInterval[])
        .filter((window) => window.length === length)
        .map((window) => window.reduce((sum, { total }) => sum + total, 0) / length);
      assert.ok(Math.abs(body.average - Math.min(...sums)) < 1e-6);
      const best = sums.findIndex((sum) => Math.abs(sum - Math.min(...sums)) < 1e-9);
      assert.equal(body.start, all.intervals[best].start);
      assert.equal(Date.parse(body.end) - Date.parse(body.start), hours * 3_600_000);
      assert.deepEqual(body.intervals, all.intervals.slice(best, best + length));
    }
  });

  test('begins no earlier than now, and ends in time', async () => {
    price.clock.advance(7 * 60_000);
    const { body } = await price.get('/price/cheapest?area=SE3&hours=1&before=2026-01-14T16:20:00Z');
    assert.deepEqual([body.start, body.end], ['2026-01-14T15:15:00.000Z', '2026-01-14T16:15:00.000Z']);
    assert.equal(body.metadata.provider, 'Simulated market');
  });

  test('of three days is found among past days', async () => {
    const { status, body } = await price.get('/price/cheapest?area=SE3&hours=72&after=2026-01-01&resolution=PT60M');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.intervals.length, body.metadata.total_points], [72, 15 * 24]);
  });

  test('may be all of today and tomorrow, also when these have 49 hours', async () => {
    await using october = await openPrice({}, Date.parse('2026-10-25T15:00:00Z'));
    const { status, body } = await october.get('/price/cheapest?area=SE3&hours=49&after=2026-10-25');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.start, body.end], ['2026-10-24T22:00:00.000Z', '2026-10-26T23:00:00.000Z']);
  });

  for (const { title, query, status } of [
    { title: 'of hours that do not fit', query: 'area=SE3&hours=6&before=2026-01-14T18:00:00Z', status: 422 },
    { title: 'of hours that are not quarters', query: 'area=SE3&hours=1.1', status: 422 },
    { title: 'of half an hour in steps of an hour', query: 'area=SE3&hours=0.5&resolution=PT60M', status: 422 },
    { title: 'without hours', query: 'area=SE3', status: 422 },
    { title: 'of more hours than are known', query: 'area=SE3&hours=40', status: 404 },
    { title: 'of more hours than are ever known', query: 'area=SE3&hours=168', status: 404 },
  ]) {
    test(`${title} is refused with ${status}`, async () => {
      assert.equal((await price.get(`/price/cheapest?${query}`)).status, status);
    });
  }
});
