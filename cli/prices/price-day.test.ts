import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TotalPrice } from '#contract/price/total.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { drawBar } from '../commands/price-today.ts';
import { cheapestOf, daysOf, meanOf, priceAt, rankOf } from './price-day.ts';
import { describeArea, describeSource, ordinal } from './price-words.ts';

/** An hour for each spot price. */
function answerOf(start: string, prices: readonly number[], area = 'SE3'): TotalPrice {
  const first = Date.parse(start);
  return {
    area,
    tariff_id: null,
    currency: 'SEK',
    unit: 'kWh',
    resolution: 'PT60M',
    intervals: prices.map((amount, n) => ({
      start: formatTime(first + n * hourMs),
      end: formatTime(first + (n + 1) * hourMs),
      total: amount + 1,
      parts: [
        { kind: 'energy_tax', amount: 1, source: 'x' },
        { kind: 'spot', amount, source: 'x' },
      ],
    })),
    metadata: {
      provider: 'Simulated market',
      is_simulated: true,
      resolved_area: area,
      vat_percent: 25,
      fx: { currency: 'SEK', rate: 11, date: '2026-01-14', source: 'the bank' },
      notes: [],
      total_points: prices.length,
      missing_points: 0,
    },
  };
}

for (const { what, start, area, hours } of [
  { what: 'an ordinary day', start: '2026-01-13T23:00:00Z', area: 'SE3', hours: 24 },
  { what: 'the day that loses an hour', start: '2026-03-28T23:00:00Z', area: 'SE3', hours: 23 },
  { what: 'the day that wins one', start: '2026-10-24T22:00:00Z', area: 'SE3', hours: 25 },
  { what: 'a day of Finland, by the clock of the market', start: '2026-01-13T23:00:00Z', area: 'FI', hours: 24 },
  { what: 'a day of Ireland, by the clock of the market', start: '2026-01-13T23:00:00Z', area: 'IE', hours: 24 },
]) {
  test(`${what} has ${hours} hours, and the next one follows`, () => {
    const prices = Array.from({ length: hours + 24 }, (_, n) => n);
    const days = daysOf(answerOf(start, prices, area));
    assert.deepEqual(
      days.map(({ points }) => points.length),
      [hours, 24],
    );
    const found = priceAt(days, Date.parse(start) + hours * hourMs);
    assert.equal(found?.point.price, hours);
    assert.equal(found?.day, days[1]);
  });
}

test('a price has its place among those of its day; negative ones and equal ones too', () => {
  const [day] = daysOf(answerOf('2026-01-13T23:00:00Z', [0.3, -0.1, 0.3, 0.2]));
  assert.deepEqual(
    day!.points.map((point) => rankOf(point, day!)),
    [3, 1, 3, 2],
  );
  assert.deepEqual(
    [...cheapestOf(day!, 3)].map(({ price }) => price),
    [-0.1, 0.2, 0.3],
  );
  assert.equal(cheapestOf(day!, 3).has(day!.points[0]!), true);
  assert.ok(Math.abs(meanOf(day!) - 0.175) < 1e-9);
});

test('no price is in force where none is known', () => {
  assert.equal(priceAt(daysOf(answerOf('2026-01-13T23:00:00Z', [1])), Date.parse('2026-01-14T12:00:00Z')), undefined);
});

test('the source is described with the exchange rate and whether it is simulated', () => {
  assert.equal(
    describeSource(answerOf('2026-01-13T23:00:00Z', [1])),
    'Spot prices: Simulated market (simulated, not a real market). One euro is 11 SEK (the bank, 2026-01-14).',
  );
  assert.equal(describeArea({ ...answerOf('2026-01-13T23:00:00Z', [1]), area: 'SE' }), 'SE3 (for SE)');
});

test('an ordinal ends as English has it, those of eleven to thirteen too', () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 23].map(ordinal), [
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '23rd',
  ]);
});

test('a bar grows by eighths and never beyond its width', () => {
  assert.deepEqual(
    [-1, 0, 0.5, 0.55, 1, 2].map((part) => drawBar(part, 4)),
    ['', '', '██', '██▎', '████', '████'],
  );
});
