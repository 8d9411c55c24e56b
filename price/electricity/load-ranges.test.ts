import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { addDays } from '#contract/time-zone.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { hoursFrom, openPrice } from '#test/price/open-price.ts';
import { openSpot } from '#test/price/spot-market.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { findArea } from './areas.ts';
import { createEntsoe } from './entsoe.ts';
import { createKeylessSource, keylessSources } from './keyless.ts';
import { openPrices } from './open-prices.ts';
import type { Source } from './source.ts';
import { createUpstream } from './upstream.ts';

const { signal } = new AbortController();
const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => addDays(first, n));

suite('the bill of a year of unknown days', { timeout: 60_000 }, () => {
  test('needs a request per month, and none the second time', async () => {
    await using price = await openPrice();
    const start = Date.parse('2025-01-11T23:00:00Z');
    const intervals = hoursFrom(new Date(start).toISOString(), new Array<number>((366 * dayMs) / hourMs).fill(0.5));
    const ask = () => price.post('/price/bill', { area: 'SE3', intervals });
    const spotRequests = () => price.market.requestedPaths.filter((path) => path === '/api').length;
    const { status, body } = await ask();
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(spotRequests(), 13); // the months from January 2025 to January 2026
    assert.deepEqual((await ask()).body, body);
    assert.equal(spotRequests(), 13);
  });
});

suite('a range of days', () => {
  for (const { id, area, first, last } of [
    { id: 'energy_charts', area: 'SE3', first: '2026-03-01', last: '2026-03-31' },
    { id: 'energy_charts', area: 'DE', first: '2025-09-02', last: '2025-09-30' },
    { id: 'energidataservice', area: 'DK1', first: '2026-10-01', last: '2026-10-31' },
    { id: 'energidataservice', area: 'DK2', first: '2025-09-01', last: '2025-09-30' },
    { id: 'elering', area: 'FI', first: '2026-10-20', last: '2026-10-31' },
    { id: 'awattar', area: 'AT', first: '2025-03-25', last: '2025-03-31' },
    { id: 'entsoe', area: 'SE4', first: '2026-10-01', last: '2026-10-31' },
    { id: 'entsoe', area: 'DE', first: '2026-01-01', last: '2026-03-31' }, // too many documents for one answer
  ]) {
    test(`of ${id} in ${area} has the prices of each day`, async () => {
      await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
      const upstream = createUpstream();
      const form = keylessSources.find((each) => each.id === id);
      const source = form
        ? createKeylessSource(form, upstream, spot.market.keylessUrls[id])
        : createEntsoe({ id, name: id, description: '', url: spot.market.entsoeUrl, token: 't', upstream });
      const days = await source.fetchRange!(findArea(area)!, { first, last }, signal);
      const dates = datesFrom(first, (Date.parse(last) - Date.parse(first)) / dayMs + 1);
      assert.deepEqual([...days.keys()], dates);
      for (const date of [first, last, dates.at(-3)!]) {
        const day = await source.fetchDay(findArea(area)!, date, signal);
        assert.deepEqual(days.get(date)?.points, day?.points);
      }
    });
  }

  test('is fetched from the next source when one fails, and day by day where no source has ranges', async () => {
    await using spot = await openSpot({
      at: '2026-11-14T13:00Z',
      settings: ({ keylessUrls }) => ({ keyless: true, keylessUrls }),
    });
    const [denmark, sweden] = [findArea('DK1')!, findArea('SE3')!];
    spot.market.setFault('outage', '/price');
    await spot.prices.load(denmark, datesFrom('2026-10-01', 20));
    assert.equal(spot.prices.peek(denmark, '2026-10-20')?.isSimulated, true);
    assert.equal(spot.market.requestedPaths.filter((path) => path.startsWith('/dataset')).length, 1);
    await spot.prices.load(sweden, datesFrom('2026-10-01', 3)); // only files by day are left
    assert.equal(spot.prices.peek(sweden, '2026-10-02'), undefined);
    assert.ok(await spot.prices.day(sweden, '2026-10-02'));
  });

  test('is requested once for several callers at the same time', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const dates = datesFrom('2026-10-01', 31);
    await Promise.all([1, 2, 3].map(() => spot.prices.load(findArea('SE3')!, dates)));
    assert.equal(spot.market.requestedPaths.length, 1);
    await spot.reopen();
    assert.ok(dates.every((date) => spot.prices.peek(findArea('SE3')!, date)));
  });

  test('leaves today and tomorrow to requests by day', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    await spot.prices.load(findArea('SE3')!, datesFrom('2026-11-14', 2));
    assert.deepEqual(spot.market.requestedPaths, []);
  });

  test('of days that no source has is not requested again for an hour', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    spot.market.setFault('wrong area');
    const dates = datesFrom('2026-10-01', 31);
    await spot.prices.load(findArea('SE3')!, dates);
    await spot.prices.load(findArea('SE3')!, dates);
    assert.equal(await spot.prices.day(findArea('SE3')!, '2026-10-05'), undefined);
    assert.equal(spot.market.requestedPaths.length, 1);
  });

  test('counts against the requests per minute of a source', async (t) => {
    let asked = 0;
    const source: Source = {
      id: 'poor',
      name: 'poor',
      description: '',
      covers: () => true,
      fetchDay: async () => undefined,
      async fetchRange() {
        asked += 1;
        return new Map();
      },
    };
    const clock = createFakeClock(Date.parse('2026-11-14T13:00Z'));
    const log = createLog({ level: 'silent', name: 'price' });
    const prices = openPrices({ dataDir: temporaryFolder(t), sources: [source], clock, log });
    t.after(() => prices.close());
    for (const area of ['SE1', 'SE2', 'SE3', 'SE4']) await prices.load(findArea(area)!, datesFrom('2017-01-01', 3500));
    assert.equal(asked, 300);
  });
});
