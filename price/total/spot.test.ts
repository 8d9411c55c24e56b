import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { findArea } from '../electricity/areas.ts';
import type { PriceDay } from '../electricity/market-day.ts';
import { createSpotLookup, loadSpotPrices, type SpotPoint } from './spot.ts';

const minute = 60_000;
const point = (start: number, end: number, eur_per_mwh: number, source = 'A'): SpotPoint => ({
  start: start * minute,
  end: end * minute,
  eur_per_mwh,
  source,
  isSimulated: source === 'S',
});

suite('the spot price of an interval', () => {
  test('is the mean of its quarters; a quarter of an hourly price has the price of the hour', () => {
    const spotOf = createSpotLookup([
      point(0, 15, 10),
      point(15, 30, 20),
      point(30, 45, 30),
      point(45, 60, 40),
      point(60, 120, 7),
    ]);
    assert.equal(spotOf(0, 60 * minute)?.eur_per_mwh, 25);
    assert.equal(spotOf(60 * minute, 75 * minute)?.eur_per_mwh, 7);
    assert.equal(spotOf(75 * minute, 90 * minute)?.eur_per_mwh, 7);
  });

  test('is unknown if a part of the interval has no price', () => {
    const spotOf = createSpotLookup([point(0, 15, 10), point(30, 45, 30), point(45, 60, 40)]);
    assert.equal(spotOf(0, 60 * minute), undefined);
    assert.equal(spotOf(30 * minute, 60 * minute)?.eur_per_mwh, 35);
    assert.equal(spotOf(60 * minute, 120 * minute), undefined);
  });

  test('names all sources, and is marked as simulated if one of them is', () => {
    const spot = createSpotLookup([point(0, 30, 1), point(30, 60, 2, 'S')])(0, 60 * minute);
    assert.deepEqual([spot?.source, spot?.isSimulated], ['A, S', true]);
  });
});

suite('the known prices of a range', () => {
  const area = findArea('SE3')!;
  const day: PriceDay = {
    date: '2026-01-15',
    points: [point(0, 60, 1)],
    source: 'A',
    isSimulated: false,
    fetchedAt: 0,
  };
  const [from, to] = [Date.parse('2026-01-15T00:00Z'), Date.parse('2026-01-17T00:00Z')];
  const rate = async () => undefined;
  const load = async () => {};

  test('are served from the cache while sources fail, with the reason for missing days', async () => {
    const refusal = new Problem('unavailable', 'Nobody answers.');
    const peek = (_: unknown, date: string) => (date === day.date ? day : undefined);
    const found = await loadSpotPrices({ peek, rate, load, day: () => Promise.reject(refusal) }, area, from, to);
    assert.deepEqual([found.points.length, found.failure], [1, refusal]);
  });

  test('do not hide a programming error', async () => {
    const broken = { peek: () => undefined, rate, load, day: () => Promise.reject(new TypeError('oops')) };
    await assert.rejects(loadSpotPrices(broken, area, from, to), TypeError);
  });
});
