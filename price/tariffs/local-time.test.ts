import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#contract/problem.ts';
import { instantOfLocal, localTimeAt, readLocalTime, writeLocalTime } from './local-time.ts';

const stockholm = 'Europe/Stockholm';
const read = (text: string, zone = stockholm): string => writeLocalTime(readLocalTime(zone, text, 'at'));

for (const [text, shown] of [
  ['2025-12-10T08:30:00', '2025-12-10T08:30:00'],
  ['2025-12-10T08:30', '2025-12-10T08:30:00'],
  ['2025-12-10 08:30:15.123', '2025-12-10T08:30:15'],
  ['2025-12-10', '2025-12-10T00:00:00'],
  ['2025-12-10T08:30:00Z', '2025-12-10T09:30:00'],
  ['2025-07-10T23:30:00Z', '2025-07-11T01:30:00'],
  ['2025-12-10T08:30:00+05:30', '2025-12-10T04:00:00'],
  ['2025-12-10T08:30:00 05:30', '2025-12-10T04:00:00'], // from a query with a bare +
  ['2025-12-31T23:59:59-0100', '2026-01-01T01:59:59'],
  ['2026-03-29T01:59:59', '2026-03-29T01:59:59'],
  ['2026-03-29T02:00:00', '2026-03-29T03:00:00'], // skipped
  ['2026-03-29T02:30:00', '2026-03-29T03:30:00'],
  ['2026-03-29T03:00:00', '2026-03-29T03:00:00'],
  ['2026-10-25T02:30:00', '2026-10-25T02:30:00'], // shown twice
  ['2026-10-25T00:30:00Z', '2026-10-25T02:30:00'],
  ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00'],
  ['2024-02-29T12:00:00', '2024-02-29T12:00:00'],
] as const) {
  test(`${text} is ${shown} in Stockholm`, () => assert.equal(read(text), shown));
}

for (const text of [
  '',
  'now',
  '2025-12',
  '2025-13-01T00:00:00',
  '2025-02-29T00:00:00',
  '2025-12-10T24:00:00',
  '2025-12-10T08:60:00',
  '2025-12-10T08:30:60',
  '2025-12-10T8:30:00',
  '2025-12-10T08:30:00+25:00',
  '2025-12-10T08:30:00+01:75',
  '1899-12-31T00:00:00',
  '3000-01-01T00:00:00',
  '2025-12-10T08:30:00+01:00[Europe/Stockholm]',
  '1733817000',
  '٢٠٢٥-12-10T08:30:00',
  '2025-12-10T08:30:00 ',
  '-2025-12-10T08:30:00',
]) {
  test(`${JSON.stringify(text)} is rejected`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof Problem && error.code === 'unprocessable',
    );
  });
}

test('a repeated time means the first', () => {
  const at = instantOfLocal(stockholm, { date: '2026-10-25', time: '02:30:00' });
  assert.equal(new Date(at).toISOString(), '2026-10-25T00:30:00.000Z');
});

test('every hour of three years survives conversion to local time and back, except repeated ones', () => {
  let twice = 0;
  for (const zone of [stockholm, 'Europe/Lisbon', 'America/New_York', 'UTC']) {
    for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2028, 0, 1); ms += 3_600_000) {
      const back = instantOfLocal(zone, localTimeAt(zone, ms));
      if (back === ms) continue;
      assert.equal(ms - back, 3_600_000, `${zone} ${new Date(ms).toISOString()}`);
      twice++;
    }
  }
  assert.equal(twice, 9); // three autumns in three zones
});
