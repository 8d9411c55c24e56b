import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createFakeClock } from '../fake-clock.ts';
import { meanAt, startCarbonPublishers } from './carbon-publishers.ts';
import { openPrice, wednesday } from './open-price.ts';

const minuteMs = 60_000;

async function open(t: TestContext, env: Record<string, string> = {}) {
  const publishers = await startCarbonPublishers({ clock: createFakeClock(wednesday) });
  t.after(() => publishers[Symbol.asyncDispose]());
  const price = await openPrice({ ...publishers.env, ...env });
  t.after(() => price[Symbol.asyncDispose]());
  return { ...price, publishers };
}

suite('GET /price/carbon/{area}', () => {
  test('answers with the known hours of a range', async (t) => {
    const { get } = await open(t);
    const { status, body } = await get('/price/carbon/dk-1?from=2026-01-13T22:00:00Z&to=2026-01-14T00:00:00Z');
    assert.equal(status, 200);
    const start = Date.parse('2026-01-13T22:00Z');
    assert.deepEqual(body, {
      area: 'DK1',
      unit: 'g/kWh',
      intervals: [0, 1].map((n) => ({
        start: new Date(start + n * 60 * minuteMs).toISOString(),
        end: new Date(start + (n + 1) * 60 * minuteMs).toISOString(),
        intensity: meanAt(start + n * 60 * minuteMs, 5 * minuteMs),
      })),
      metadata: {
        provider: 'Energi Data Service',
        resolved_area: 'DK1',
        fetched_at: new Date(wednesday).toISOString(),
        total_points: 2,
        missing_hours: 0,
      },
    });
  });

  test('answers for today until now by default, in the area of the capital of a country', async (t) => {
    const { get } = await open(t);
    const { status, body } = await get('/price/carbon/SE');
    assert.equal(status, 200);
    assert.deepEqual(
      [body.area, body.metadata.resolved_area, body.metadata.provider],
      ['SE', 'SE3', 'Electricity Maps'],
    );
    assert.equal(body.intervals[0].start, '2026-01-13T23:00:00.000Z'); // midnight in Brussels
    assert.equal(body.intervals.at(-1).end, '2026-01-14T14:00:00.000Z'); // 15:00 is estimated so far
    assert.equal(body.metadata.missing_hours, 1);
  });

  test('revalidates an answer', async (t) => {
    const { get, app } = await open(t);
    const url = '/price/carbon/GB?from=2026-01-13&to=2026-01-14';
    const { headers } = await get(url);
    const again = await app.inject({ url, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.statusCode, 304);
  });

  for (const { says, url, env, status, pattern } of [
    { says: 'an unknown area', url: '/price/carbon/XX9', status: 404, pattern: /The area XX9 is not supported/ },
    {
      says: 'any area without a configured source',
      url: '/price/carbon/DK1',
      env: { CARBON_SOURCES: '' },
      status: 404,
      pattern: /No source of carbon intensities is configured for DK1/,
    },
    {
      says: 'an area that the configured sources do not cover',
      url: '/price/carbon/SE3',
      env: { CARBON_SOURCES: 'uk,energidataservice' },
      status: 404,
      pattern: /No source of carbon intensities is configured for SE3/,
    },
    {
      says: 'an area of a source that lacks its token',
      url: '/price/carbon/SE3',
      env: { ELECTRICITYMAPS_TOKEN: '' },
      status: 404,
      pattern: /No source of carbon intensities is configured for SE3/,
    },
    { says: 'an invalid time', url: '/price/carbon/DK1?from=yesterday', status: 422, pattern: /query\.from: must be/ },
    {
      says: 'an empty range',
      url: '/price/carbon/DK1?from=2026-01-14&to=2026-01-14',
      status: 422,
      pattern: /query\.to: must be later/,
    },
    {
      says: 'a range of more than 366 days',
      url: '/price/carbon/DK1?from=2025-01-01&to=2026-01-03',
      status: 422,
      pattern: /at most 366 days later/,
    },
    { says: 'an unknown parameter', url: '/price/carbon/DK1?date=2026-01-14', status: 400, pattern: /date/ },
  ]) {
    test(`refuses ${says} without a request to a source`, async (t) => {
      const { get, publishers } = await open(t, env);
      const { status: answered, body } = await get(url);
      assert.equal(answered, status);
      assert.match(body.detail, pattern);
      assert.deepEqual(publishers.asked, []);
    });
  }

  test('answers 503 while the source fails and nothing is stored', async (t) => {
    const { get, publishers } = await open(t);
    publishers.answerWith((_request, response) => response.writeHead(404).end());
    const { status, body, headers } = await get('/price/carbon/DK1');
    assert.deepEqual([status, body.error, headers['retry-after']], [503, 'unavailable', '30']);
    assert.match(body.detail, /Energi Data Service cannot be asked/);
  });
});
