import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { openPrice } from '#test/price/open-price.ts';
import type { PriceDay } from '../electricity/market-day.ts';
import { parsePriceQuery } from '../electricity/price-query.ts';
import { createAnswerCache } from './prices.ts';

suite('prices in the older form', () => {
  for (const path of ['prices/CH', 'providers/simulated/prices/CH']) {
    test(`${path} has no quarter-hours in either format where the market has hours`, async () => {
      await using price = await openPrice();
      for (const format of ['json', 'xml']) {
        assert.equal((await price.get(`/price/${path}?format=${format}`)).status, 200);
        const { status, body } = await price.get(`/price/${path}?format=${format}&resolution=PT15M`);
        assert.deepEqual([status, body.status, body.area], [404, 'no_data', 'CH']);
      }
    });
  }

  test('of a provider that answers with a page for people are unavailable', async () => {
    const upstream = createServer((_request, response) => response.end('<!DOCTYPE html><p>Maintenance<br>'));
    const port = await listenOnLoopback(upstream);
    try {
      const env = { PRICE_SIMULATED_URL: '', PRICE_KEYLESS: 'no', ENTSOE_TOKEN: 't' };
      await using price = await openPrice({ ...env, ENTSOE_URL: `http://127.0.0.1:${port}/api` });
      const { status, body } = await price.get('/price/providers/entsoe/prices/SE3?format=json');
      assert.deepEqual([status, body.error], [503, 'unavailable']);
    } finally {
      upstream.close();
    }
  });
});

const question = parsePriceQuery('SE3', {}, Date.UTC(2026, 0, 14));
const dayOf = (fetchedAt: number): PriceDay => ({
  date: '2026-01-14',
  points: [],
  source: 'ENTSO-E',
  isSimulated: false,
  fetchedAt,
});

test('an answer is cached for its days and written again when one of them changes', async () => {
  const answers = createAnswerCache();
  let written = 0;
  const ask = (form: string, days: readonly PriceDay[]) =>
    answers.of(question, form, days, () => ({ text: String(++written), headers: {} }));
  const [today, corrected, tomorrow] = [dayOf(1), dayOf(2), dayOf(3)];
  const first = await ask('json', [today]);
  assert.equal(await ask('json', [today]), first);
  const others = [await ask('xml', [today]), await ask('json', [corrected]), await ask('json', [corrected, tomorrow])];
  assert.deepEqual(
    others.map(({ text }) => text),
    ['2', '3', '4'],
  );
  assert.notEqual(others[1]!.headers.etag, first.headers.etag);
});
