import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { hourMs } from '#contract/time.ts';
import { openSpot, type Spot } from '#test/price/spot-market.ts';
import { startStopwatch } from '#test/stopwatch.ts';
import { openPriceStore } from '../store/price-store.ts';
import { findArea } from './areas.ts';
import { simulatedMarket } from './source.ts';

const area = findArea('SE3')!;
const today = '2026-11-14';
const tomorrow = '2026-11-15';

const pageSize = 16_384;

const askedEntsoe = ({ market }: Spot): number => market.requestedPaths.filter((path) => path === '/api').length;
const isUnavailable = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

suite('prices', () => {
  test('a hundred requests for a day cause one request to the source', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const days = await Promise.all(Array.from({ length: 100 }, () => spot.prices.day(area, today)));
    assert.equal(new Set(days).size, 1);
    assert.equal(days[0]?.points.length, 96);
    spot.clock.advance(3 * 86_400_000);
    await spot.prices.day(area, today);
    assert.equal(askedEntsoe(spot), 1);
  });

  test('areas with a common price are fetched once', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const [de, lu, deLu] = await Promise.all(
      ['DE', 'LU', 'DE_LU'].map((code) => spot.prices.day(findArea(code)!, today)),
    );
    assert.deepEqual(de?.points, lu?.points);
    assert.deepEqual(de?.points, deLu?.points);
    assert.equal(askedEntsoe(spot), 1);
  });

  test('prices of the simulated market are marked as simulated, whatever the source', async () => {
    await using spot = await openSpot({
      at: '2026-11-14T13:00Z',
      settings: ({ entsoeUrl }) => ({ entsoe: { url: entsoeUrl, token: 'any' } }),
    });
    const day = await spot.prices.day(area, today);
    assert.equal(day?.source, simulatedMarket);
    assert.equal(day?.isSimulated, true);
    assert.match((await spot.prices.raw(area, today))!, /Simulated market/);
    assert.equal((await spot.prices.rate('SEK'))?.source, simulatedMarket);
  });

  test('a restart serves stored days with their documents while no source is reachable', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const before = await spot.prices.day(area, today);
    spot.market.setFault('hang up');
    await spot.reopen();
    assert.deepEqual(await spot.prices.day(area, today), before);
    assert.match((await spot.prices.raw(area, today))!, /<Publication_MarketDocument/);
    assert.equal(askedEntsoe(spot), 1);
  });

  test('a stored day that does not begin with its market day is fetched again', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const ireland = findArea('IE')!;
    const before = (await spot.prices.day(ireland, today))!;
    assert.equal(new Date(before.points[0]!.start).toISOString(), '2026-11-13T23:00:00.000Z');
    await spot.reopen(async () => {
      const store = openPriceStore({ dataDir: spot.dataDir, onDamaged: assert.fail });
      const stored = store.findDay(ireland.eic, today)!;
      const points = stored.points.map((point) => ({ ...point, start: point.start + hourMs, end: point.end + hourMs }));
      store.saveDay(ireland.eic, { ...stored, points }); // as 0.1.0 stored the days of Ireland
      store.close();
    });
    assert.deepEqual((await spot.prices.day(ireland, today))!.points, before.points);
    assert.equal(askedEntsoe(spot), 2);
  });

  test('a day on a damaged database page is fetched again and served, and logged once', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    const before = await spot.prices.day(area, today);
    await spot.reopen(async () => {
      const file = join(spot.dataDir, 'prices.db');
      const bytes = await readFile(file);
      const page = Math.floor(bytes.indexOf(simulatedMarket) / pageSize) * pageSize;
      assert.ok(page > 0);
      await writeFile(file, bytes.fill(0xff, page, page + pageSize));
    });
    assert.equal(spot.prices.peek(area, today), undefined);
    for (let n = 0; n < 3; n++) assert.deepEqual(await spot.prices.day(area, today), before);
    assert.equal(await spot.prices.raw(area, today), undefined);
    assert.equal(askedEntsoe(spot), 2);
    assert.equal(spot.lines.filter((line) => line.includes('failed to read stored prices')).length, 1);
  });

  test('areas without a market, days before the records and future days are not requested', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    for (const code of ['GB', 'MT', 'TR', 'CY', 'BA', 'MD'])
      assert.equal(await spot.prices.day(findArea(code)!, today), undefined);
    assert.equal(await spot.prices.day(area, '2014-12-31'), undefined);
    assert.equal(await spot.prices.day(area, '2026-11-16'), undefined);
    assert.equal(askedEntsoe(spot), 0);
  });

  test('a day that no source has is requested again after a minute', async () => {
    await using spot = await openSpot({ at: '2026-11-14T11:10Z' }); // winter: published after 11:45
    for (let n = 0; n < 5; n++) assert.equal(await spot.prices.day(area, tomorrow), undefined);
    assert.equal(askedEntsoe(spot), 1);
    spot.clock.advance(61_000);
    assert.equal(await spot.prices.day(area, tomorrow), undefined);
    assert.equal(askedEntsoe(spot), 2);
    spot.clock.set(Date.parse('2026-11-14T12:05Z'));
    assert.equal((await spot.prices.day(area, tomorrow))?.points.length, 96);
  });

  test('exchange rates are configured ones, then those of the bank; the last known ones while it is unreachable', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z', fixedRates: { NOK: 11.5 } });
    assert.deepEqual(await spot.prices.rate('NOK'), {
      currency: 'NOK',
      perEuro: 11.5,
      date: today,
      source: 'configured',
    });
    assert.equal((await spot.prices.rate('EUR'))?.perEuro, 1);
    const sek = await spot.prices.rate('SEK');
    assert.equal(sek?.date, '2026-11-13'); // the 14th is a Saturday
    assert.equal(await spot.prices.rate('XXX'), undefined);
    spot.market.setFault('html');
    spot.clock.advance(86_400_000);
    await spot.reopen();
    assert.deepEqual(await spot.prices.rate('SEK'), sek);
  });
});

suite('the refresh', () => {
  test('prefetching starts at 11:00 UTC, continues in winter until tomorrow is published, and then stops', async () => {
    await using spot = await openSpot({ at: '2026-11-14T10:30Z' });
    await spot.prices.day(area, today);
    await spot.prices.refresh();
    assert.equal(askedEntsoe(spot), 1);
    const questions: string[] = [];
    while (spot.clock.now() < Date.parse('2026-11-14T13:30Z')) {
      const before = askedEntsoe(spot);
      await spot.prices.refresh();
      if (askedEntsoe(spot) > before) questions.push(new Date(spot.clock.now()).toISOString().slice(11, 16));
      spot.clock.advance(60_000);
    }
    assert.ok(questions[0]! >= '11:00' && questions[0]! <= '11:03', questions.join(' '));
    assert.ok(questions.length >= 4 && questions.length <= 7, questions.join(' '));
    assert.ok(questions.at(-1)! >= '11:45' && questions.at(-1)! <= '12:16', questions.join(' '));
    assert.equal(spot.prices.peek(area, tomorrow)?.points.length, 96);
  });
});

suite('a failing source', () => {
  const faults = [
    'outage',
    'unauthorized',
    'limited',
    'html',
    'redirect',
    'hang up',
    'huge',
    'zip bomb',
    'truncated gzip',
    'cut in half',
    'not utf-8',
    'empty',
    'own entities',
    'outside entity',
    'numeric references',
    'deep nesting',
    'many elements',
    'wrong namespace',
    'wrong document',
    'absurd price',
    'price in words',
    'position zero',
    'same position twice',
  ] as const;
  for (const fault of faults) {
    test(`with ${fault}: stores nothing, serves stored days, and recovers`, async () => {
      await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
      const good = await spot.prices.day(area, today);
      spot.market.setFault(fault, '/api');
      const stopwatch = startStopwatch();
      await assert.rejects(spot.prices.day(area, tomorrow), isUnavailable);
      assert.ok(stopwatch.ms() < 8000);
      assert.equal(spot.prices.peek(area, tomorrow), undefined);
      assert.equal(await spot.prices.day(area, today), good);

      spot.market.setFault(undefined);
      spot.clock.advance(16 * 60_000);
      assert.equal((await spot.prices.day(area, tomorrow))?.points.length, 96);
      assert.ok(spot.prices.status().every(({ isWorking }) => isWorking));
    });
  }

  for (const fault of ['hole in the day', 'wrong area', 'other currency'] as const) {
    test(`with ${fault}: the day stays unknown, and nothing of it is stored`, async () => {
      await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
      spot.market.setFault(fault, '/api');
      assert.equal(await spot.prices.day(area, today), undefined);
      assert.equal(spot.prices.peek(area, today), undefined);
    });
  }

  test('that does not answer times out, and the next source is used', async () => {
    await using spot = await openSpot({
      at: '2026-11-14T13:00Z',
      settings: ({ entsoeUrl, keylessUrls }) => ({
        entsoe: { url: entsoeUrl, token: 'any' },
        keyless: true,
        keylessUrls,
        timeoutMs: 300,
      }),
    });
    spot.market.setFault('silence', '/api');
    assert.equal((await spot.prices.day(area, today))?.points.length, 96);
    spot.market.setFault('silence');
    await assert.rejects(spot.prices.day(area, tomorrow), isUnavailable);
  });

  test('is skipped after three failures, and at once when it reports a rate limit', async () => {
    await using spot = await openSpot({ at: '2026-11-14T13:00Z' });
    spot.market.setFault('html');
    for (const date of ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'])
      await assert.rejects(spot.prices.day(area, date), isUnavailable);
    assert.equal(askedEntsoe(spot), 3);
    spot.clock.advance(61_000);
    spot.market.setFault('limited');
    for (const date of ['2026-11-01', '2026-11-02', '2026-11-03'])
      await assert.rejects(spot.prices.day(area, date), isUnavailable);
    assert.equal(askedEntsoe(spot), 4);
    spot.clock.advance(9 * 60_000);
    await assert.rejects(spot.prices.day(area, '2026-11-04'), isUnavailable);
    assert.equal(askedEntsoe(spot), 4);
  });

  test('is replaced by the next source, which the day then names', async () => {
    await using spot = await openSpot({
      at: '2026-11-14T13:00Z',
      settings: ({ entsoeUrl, keylessUrls }) => ({
        entsoe: { url: entsoeUrl, token: 'any' },
        keyless: true,
        keylessUrls,
      }),
    });
    spot.market.setFault('outage', '/api');
    const day = await spot.prices.day(findArea('SE3')!, today);
    assert.equal(day?.points.length, 96);
    assert.ok(spot.market.requestedPaths.includes('/price'));
    assert.equal(await spot.prices.raw(area, today), undefined);
  });

  test('never writes the token to the log', async () => {
    const token = 'canary-5f1c9d';
    await using spot = await openSpot({
      at: '2026-11-14T13:00Z',
      token: 'another',
      settings: ({ entsoeUrl }) => ({ entsoe: { url: entsoeUrl, token }, timeoutMs: 500 }),
    });
    for (const fault of [undefined, ...faults, 'silence'] as const) {
      spot.market.setFault(fault);
      spot.clock.advance(24 * 3_600_000);
      await assert.rejects(spot.prices.day(area, today), isUnavailable);
    }
    await spot.market.close();
    spot.clock.advance(24 * 3_600_000);
    await assert.rejects(spot.prices.day(area, today), isUnavailable);
    assert.ok(spot.lines.length > 0);
    assert.ok(!spot.lines.join('').includes(token));
    assert.ok(!JSON.stringify(spot.prices.status()).includes(token));
  });
});
