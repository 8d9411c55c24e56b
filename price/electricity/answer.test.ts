import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hourMs } from '#contract/time.ts';
import { composeAnswer } from './answer.ts';
import { findArea } from './areas.ts';
import type { PriceDay, PricePoint } from './market-day.ts';
import { hourlyMeans } from './market-day.ts';

const start = Date.parse('2026-03-09T23:00Z');
const quarters = (prices: readonly number[], from = start): PricePoint[] =>
  prices.map((eur_per_mwh, n) => ({
    start: from + (n * hourMs) / 4,
    end: from + ((n + 1) * hourMs) / 4,
    eur_per_mwh,
  }));

suite('hourly prices', () => {
  test('are the mean of their quarter-hours, rounded to a hundredth of a cent', () => {
    assert.deepEqual(hourlyMeans(quarters([1, 2, 3, 4.01, -1, -1, -1, 0])), [
      { start, end: start + hourMs, eur_per_mwh: 2.5025 },
      { start: start + hourMs, end: start + 2 * hourMs, eur_per_mwh: -0.75 },
    ]);
  });

  for (const missing of [0, 1, 2, 3])
    test(`leave out an hour whose quarter ${missing + 1} is unknown`, () =>
      assert.deepEqual(hourlyMeans(quarters([1, 2, 3, 4]).toSpliced(missing, 1)), []));

  test('keep hourly points unchanged', () => {
    const hour = { start, end: start + hourMs, eur_per_mwh: -0.01 };
    assert.deepEqual(hourlyMeans([hour]), [hour]);
  });
});

suite('an answer', () => {
  const question = {
    area: findArea('SE3')!,
    name: 'SE3',
    dates: ['2026-03-10', '2026-03-11'],
    isCurrent: false,
    resolution: 'PT60M',
    currency: 'EUR',
  } as const;
  const rate = { currency: 'EUR', perEuro: 1, date: '2026-03-10', source: '' };
  const day = (source: string, from: number): PriceDay => ({
    date: '',
    points: hourlyMeans(quarters([1, 2, 3, 4], from)),
    source,
    isSimulated: false,
    fetchedAt: from,
  });
  const answerOf = (...days: PriceDay[]) => composeAnswer(question, { days, rate, isCached: true, missing: [] });

  test('names the source at every point if the days have two sources', () => {
    const answer = answerOf(day('ENTSO-E', start), day('Elering', start + 24 * hourMs));
    assert.deepEqual(
      answer.prices.map(({ provider }) => provider),
      ['ENTSO-E', 'Elering'],
    );
    assert.equal(answer.metadata.provider, 'ENTSO-E, Elering');
    assert.equal(answer.metadata.last_updated, new Date(start + 24 * hourMs).toISOString());
  });

  test('names a single source once', () => {
    const answer = answerOf(day('ENTSO-E', start), day('ENTSO-E', start + 24 * hourMs));
    assert.ok(answer.prices.every((point) => !('provider' in point)));
    assert.equal(answer.metadata.data_source, 'ENTSO-E Transparency Platform, day-ahead prices');
  });
});
