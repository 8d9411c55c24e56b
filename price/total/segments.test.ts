import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateOf, localMinuteAt, timeOf } from './segments.ts';

for (const timeZone of ['Europe/Stockholm', 'Europe/Brussels', 'Europe/London', 'UTC', 'Asia/Kolkata']) {
  test(`local time in ${timeZone} matches Intl.DateTimeFormat`, () => {
    const truth = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    const quarters = fc.integer({ min: 0, max: 40 * 366 * 96 });
    fc.assert(
      fc.property(quarters, (quarter) => {
        const ms = Date.UTC(2000, 0, 1) + quarter * 900_000;
        const { day, minute } = localMinuteAt(timeZone, ms);
        assert.equal(`${dateOf(day)} ${timeOf(minute)}`, truth.format(ms));
      }),
      { numRuns: 300 },
    );
  });
}

test('both nights of a clock change have the right local times', () => {
  const shown = (from: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) =>
      timeOf(localMinuteAt('Europe/Stockholm', Date.parse(from) + n * 1_800_000).minute).slice(0, 5),
    );
  assert.deepEqual(shown('2026-03-29T00:00Z', 4), ['01:00', '01:30', '03:00', '03:30']);
  assert.deepEqual(shown('2026-10-25T00:00Z', 5), ['02:00', '02:30', '02:00', '02:30', '03:00']);
});
