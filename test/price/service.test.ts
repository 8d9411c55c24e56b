import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApi } from '#contract/openapi.ts';
import { priceRoutes, priceServerRoutes } from '#contract/price/routes.ts';
import { systemClock } from '#lib/clock.ts';
import { FolderInUse } from '#lib/folder-lock.ts';
import { createMount, type Door } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog } from '#lib/log.ts';
import { mountPrices } from '#price/app.ts';
import { startPrice } from '#price/main.ts';
import { startMarket } from '#sim/market/market.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openPrice } from './open-price.ts';

const silent = createLog({ level: 'silent', name: 'price' });

suite('the price service on its own', () => {
  test('listens on a port, describes its sources, and stops', async (t) => {
    const folder = temporaryFolder(t);
    const market = await startMarket({ clock: systemClock });
    const env = {
      PRICE_PORT: '0',
      PRICE_DATA_DIR: folder,
      PRICE_SIMULATED_URL: market.entsoeUrl,
      FX_URL: market.ratesUrl,
    };
    const running = await startPrice(env, { version: '1.2.3', log: silent });
    try {
      assert.deepEqual(running.sources, ['Simulated market']);
      const health = (await (await fetch(`${running.url}/health`)).json()) as { uptime_seconds: number };
      assert.ok(health.uptime_seconds < 60, 'it was started a moment ago');
      assert.deepEqual({ ...health, uptime_seconds: 0 }, { status: 'healthy', version: '1.2.3', uptime_seconds: 0 });
      const reply = await fetch(`${running.url}/price/total?area=SE3`);
      assert.equal(reply.status, 200);
      assert.equal(((await reply.json()) as { metadata: { provider: string } }).metadata.provider, 'Simulated market');
      await assert.rejects(startPrice(env, { version: '1.2.3', log: silent }), FolderInUse);
    } finally {
      await running.close();
      await market.close();
    }
    await assert.rejects(fetch(`${running.url}/health`));
  });

  test('is ready, and not ready without a source', async () => {
    await using price = await openPrice();
    assert.deepEqual((await price.get('/ready')).body, { status: 'ready', reasons: [] });
    await using lonely = await openPrice({ PRICE_SIMULATED_URL: '', PRICE_KEYLESS: 'no' });
    const { status, body } = await lonely.get('/ready');
    assert.deepEqual([status, body.reasons], [503, ['No price source is configured.']]);
  });

  test('counts requests, and shows which sources work', async () => {
    await using price = await openPrice();
    await price.get('/price/total?area=SE3');
    const { text } = await price.get('/metrics');
    assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/price\/total",status="200"\} 1/);
    assert.match(text, /price_source_working\{source="simulated"\} 1/);
    assert.match(text, /price_tariff_files_refused 0/);
  });

  test('has a rate limit for every caller', async () => {
    await using price = await openPrice({ RATE_PRICES: '2' });
    assert.equal((await price.get('/price/areas')).headers.ratelimit, '"ordinary";r=1;t=30');
    await price.get('/price/areas');
    const { status, headers } = await price.get('/price/areas');
    assert.deepEqual([status, headers['retry-after']], [429, '30']);
  });

  test('has its pages at the specified paths', async () => {
    await using price = await openPrice();
    const pages = [
      '/price/electricity/docs',
      '/price/electricity/redoc',
      '/price/tariffs/docs',
      '/price/tariffs/redoc',
    ];
    for (const page of [...pages, '/price/api', '/price/redoc', '/docs', '/redoc']) {
      const { status, headers } = await price.get(page);
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], page);
    }
    for (const [folder, count] of [
      ['/price/electricity', 4],
      ['/price/tariffs', 13],
      ['/price', 14],
      ['', priceServerRoutes.length],
    ] as const) {
      const { body } = await price.get(`${folder}/openapi.json`);
      assert.equal(Object.keys(body.paths).length, count, folder);
    }
  });

  test('links only to pages that exist', async () => {
    await using price = await openPrice();
    for (const form of ['/price', '/services/price']) {
      for (const subject of ['electricity', 'tariffs']) {
        const { documentation } = (await price.get(`${form}/${subject}/`)).body;
        assert.deepEqual(Object.keys(documentation), ['swagger', 'redoc']);
        for (const page of Object.values<string>(documentation)) {
          const { status, headers } = await price.get(page);
          assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], page);
        }
      }
    }
  });

  test('does not mistake a page name for an area or an operator', async () => {
    await using price = await openPrice();
    assert.equal((await price.get('/price/electricity/areas')).body.count, 39);
    assert.equal((await price.get('/price/electricity/health')).body.status, 'healthy');
    assert.equal((await price.get('/price/tariffs/providers')).body.errors, null);
    assert.equal((await price.get('/price/tariffs/health')).body.status, 'healthy');
  });

  test('has one form for errors', async () => {
    await using price = await openPrice();
    for (const [path, status] of [
      ['/price/electricity/XX', 404],
      ['/price/tariffs/acme', 404],
      ['/price/nowhere', 404],
      ['/price/areas?x=1', 400],
    ] as const) {
      const { status: answered, headers, body } = await price.get(path);
      assert.deepEqual([answered, headers['content-type'], body.status], [status, 'application/problem+json', status]);
      assert.equal(body.detail, body.message);
    }
    const { status, headers } = await price.post('/price/total', {});
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
  });
});

suite('the document of the price service', () => {
  test('is valid OpenAPI 3.1', async () => {
    const document = openApi({ title: 'Test', version: '1', description: 'For tests.', routes: priceServerRoutes });
    const { valid, errors } = await new Validator().validate(structuredClone<Record<string, unknown>>(document));
    assert.ok(valid, JSON.stringify(errors, null, 2));
  });
});

suite('the price service inside of another', () => {
  test('serves every route with the access control of the platform, and leaves the other routes unchanged', async () => {
    await using price = await openPrice();
    const app = createServer({ log: silent, apiVersion: '1' });
    const admitted: string[] = [];
    const door: Door<{ name: string }> = {
      unknownFields: 'refuse',
      admit: (route) => async () => {
        admitted.push(route.path);
      },
      serve: (_route, _request, handle) => handle({ name: 'cloud' }),
    };
    mountPrices(app, door, price.service, '0.0.0');
    const [own] = priceServerRoutes.filter(({ path }) => path === '/health');
    createMount(app, door)(own!, ({ name }) => ({ name }) as never);
    try {
      assert.equal((await app.inject('/price/total?area=SE3')).statusCode, 200);
      assert.deepEqual(admitted, ['/price/total']);
      for (const { method, path } of priceRoutes) {
        assert.ok(
          app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '') }),
          `${method} ${path}`,
        );
      }
      assert.equal((await app.inject('/health?x=1')).statusCode, 400);
      assert.equal((await app.inject('/price/total?area=SE3&resolution=x')).statusCode, 422);
    } finally {
      await app.close();
    }
  });
});
