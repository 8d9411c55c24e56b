import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { daysOf, intersection, parsePeriod, periodsOf } from './billing-period.ts';

suite('a billing period', () => {
  for (const { duration, date, from, to } of [
    { duration: 'P1D', date: '2026-02-28', from: '2026-02-28', to: '2026-03-01' },
    { duration: 'P1W', date: '2026-11-15', from: '2026-11-09', to: '2026-11-16' },
    { duration: 'P1W', date: '2026-11-16', from: '2026-11-16', to: '2026-11-23' },
    { duration: 'P1M', date: '2024-02-29', from: '2024-02-01', to: '2024-03-01' },
    { duration: 'P1M', date: '2026-12-31', from: '2026-12-01', to: '2027-01-01' },
    { duration: 'P3M', date: '2026-05-15', from: '2026-04-01', to: '2026-07-01' },
    { duration: 'P1Y', date: '2026-05-15', from: '2026-01-01', to: '2027-01-01' },
  ]) {
    test(`${duration} of ${date} is from ${from} to ${to}`, () => {
      assert.deepEqual(parsePeriod(duration)?.(date), { fromIncluding: from, toExcluding: to });
    });
  }

  for (const duration of ['PT1H', 'P', 'P0M', 'P1M2D', 'month', '']) {
    test(`${duration || 'no text'} is not supported`, () => assert.equal(parsePeriod(duration), undefined));
  }

  test('a winter is split into its months', () => {
    const winter = { fromIncluding: '2025-11-20', toExcluding: '2026-01-02' };
    assert.deepEqual(
      periodsOf('P1M', winter).map((month) => [month.fromIncluding, daysOf(intersection(month, winter))]),
      [
        ['2025-11-01', 11],
        ['2025-12-01', 31],
        ['2026-01-01', 1],
      ],
    );
  });

  test('intervals without an overlap have no common days', () => {
    const month = parsePeriod('P1M')!;
    const [one, other] = [month('2026-01-01'), month('2026-03-01')];
    assert.equal(daysOf(intersection(one, other)), 0);
  });
});
