import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { listenOnLoopback } from '#test/listen-on-loopback.ts';
import { openPrice } from '#test/price/open-price.ts';

suite('prices of the legacy interface', () => {
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

  test('of a provider that answers with a web page are unavailable', async () => {
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
