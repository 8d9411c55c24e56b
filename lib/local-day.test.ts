import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayMs } from '#contract/time.ts';
import { localDays, startOfLocalDay } from './local-day.ts';

const hours = (ms: number): number => ms / 3_600_000;

for (const { zone, day, lasts } of [
  { zone: 'Europe/Stockholm', day: '2026-03-29', lasts: 23 },
  { zone: 'Europe/Stockholm', day: '2026-10-25', lasts: 25 },
  { zone: 'Europe/Stockholm', day: '2026-06-01', lasts: 24 },
  { zone: 'Asia/Kathmandu', day: '2026-06-01', lasts: 24 },
  { zone: 'America/Sao_Paulo', day: '2018-11-04', lasts: 23 }, // midnight itself was skipped
  { zone: 'Australia/Lord_Howe', day: '2026-10-04', lasts: 23.5 },
]) {
  test(`${day} lasts ${lasts} hours in ${zone}`, () => {
    const noon = Date.parse(`${day}T12:00:00Z`);
    const [start, end] = localDays(zone, noon, noon + 1) as [number, number];
    assert.equal(hours(end - start), lasts);
    assert.ok(start <= noon && noon < end);
  });
}

test('every instant lies in its day, and days follow each other without a gap', () => {
  const zones = ['UTC', 'Europe/Stockholm', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'America/St_Johns'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }),
      (zone, at) => {
        const start = startOfLocalDay(zone, at);
        const [same, next] = localDays(zone, at, at + 1) as [number, number];
        assert.equal(same, start);
        assert.ok(start <= at && at < next);
        assert.equal(startOfLocalDay(zone, next), next);
        assert.equal(startOfLocalDay(zone, next - 1), start);
      },
    ),
    { numRuns: 500 },
  );
});

test('a list of days equals the days found one at a time, in every zone and across every change of the clocks', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
      fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }),
      fc.integer({ min: 1, max: 500 }),
      (zone, from, length) => {
        const days = localDays(zone, from, from + length * dayMs);
        const oneByOne = days.map((_, index) =>
          startOfLocalDay(zone, index === 0 ? from : days[index - 1]! + 1.5 * dayMs),
        );
        assert.deepEqual(days, oneByOne);
        assert.ok(days.at(-1)! >= from + length * dayMs && days.at(-2)! < from + length * dayMs);
      },
    ),
    { numRuns: 30, examples: [['America/Noronha', Date.UTC(2000, 8), 90]] },
  );
});
