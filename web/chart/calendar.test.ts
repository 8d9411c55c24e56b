import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, isDay, monthAfter, weekdayOf } from './calendar.ts';

test('adding days and months crosses the ends of months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2028-03-01', -1), '2028-02-29');
  assert.equal(monthAfter('2026-01-31', 1), '2026-02-01');
  assert.equal(monthAfter('2026-01-31', -1), '2025-12-01');
  assert.equal(weekdayOf('2026-11-15'), 6);
  assert.equal(weekdayOf('2026-11-16'), 0);
});

test('only existing dates are days', () => {
  assert.deepEqual(['2026-02-28', '2026-02-29', '2026-2-1', 'now', '2026-13-01'].map(isDay), [
    true,
    false,
    false,
    false,
    false,
  ]);
});
