import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { cheapestWindow } from './cheapest-window.ts';

const hour = (start: number, total: number) => ({ start, end: start + 1, total });

suite('the cheapest window', () => {
  test('does not span an hour with an unknown price', () => {
    const known = [hour(0, 5), hour(1, 5), hour(3, 1), hour(4, 9), hour(5, 2)];
    assert.deepEqual(cheapestWindow(known, 2), [hour(0, 5), hour(1, 5)]);
    assert.equal(cheapestWindow([hour(0, 1), hour(2, 1)], 2), undefined);
  });

  test('is the earliest of equal ones', () => {
    assert.equal(cheapestWindow([hour(0, 3), hour(1, 2), hour(2, 2)], 1)![0]!.start, 1);
  });

  test('matches an exhaustive search', () => {
    const prices = fc.array(fc.option(fc.integer({ min: -50, max: 50 })), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(prices, fc.integer({ min: 1, max: 6 }), (totals, length) => {
        const known = totals.flatMap((total, start) => (total === null ? [] : [hour(start, total)]));
        const windows = totals
          .map((_, n) => totals.slice(n, n + length))
          .filter((window) => window.length === length && !window.includes(null))
          .map((window) => window.reduce<number>((sum, total) => sum + total!, 0));
        const found = cheapestWindow(known, length)?.reduce((sum, { total }) => sum + total, 0);
        assert.equal(found, windows.length > 0 ? Math.min(...windows) : undefined);
      }),
    );
  });
});
