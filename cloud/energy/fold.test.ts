import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { quarterMs } from '#contract/cloud/energy.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { Fold, type QuarterRecord } from './fold.ts';

type Row = [at: number, power: number | undefined, inWh?: number | undefined, outWh?: number | undefined];

const start = Date.parse('2026-06-01T00:00:00Z');
const absent = Number.NaN;

/** Folds rows whose times are relative to midnight. */
function fold(rows: Row[], from = new Fold()): QuarterRecord[] {
  for (const [at, power = absent, inWh = absent, outWh = absent] of rows) from.add(start + at, power, inWh, outWh);
  const open = from.open();
  return [...from.take(), ...(open ? [open] : [])];
}

const sum = (records: readonly QuarterRecord[], name: 'in' | 'out' | 'estimated' | 'coveredMs' | 'readings'): number =>
  records.reduce((total, record) => total + record[name], 0);

const near = (actual: number, expected: number, tolerance = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

const placeOf = ({ quarter }: QuarterRecord): number => quarter - start / quarterMs;

describe('power', () => {
  test('is integrated between readings, in and out separately where it crosses zero', () => {
    const records = fold([
      [0, 1000],
      [minuteMs, -1000],
    ]);
    near(sum(records, 'in'), 1000 / 4 / 60);
    near(sum(records, 'out'), 1000 / 4 / 60);
    assert.equal(sum(records, 'coveredMs'), minuteMs);
  });

  test('is split where a quarter of an hour ends, by its shape', () => {
    const [first, second] = fold([
      [quarterMs - minuteMs, 0],
      [quarterMs + minuteMs, 2000],
    ]);
    near(first!.in, (500 * minuteMs) / hourMs);
    near(second!.in, (1500 * minuteMs) / hourMs);
    assert.deepEqual([first!.coveredMs, second!.coveredMs], [minuteMs, minuteMs]);
  });

  test('is missing over more than five minutes, and not guessed', () => {
    const records = fold([
      [0, 1000],
      [5 * minuteMs, 1000],
      [10 * minuteMs + 1, 1000],
    ]);
    near(sum(records, 'in'), 1000 / 12);
    assert.equal(sum(records, 'coveredMs'), 5 * minuteMs);
  });
});

describe('a register', () => {
  test('that is coarse is followed by the power, and its sum is kept', () => {
    const rows: Row[] = [];
    for (let second = 0; second <= 6 * 3600; second += 10) {
      const true_Wh = 900 + (2000 * second) / 3600;
      rows.push([second * 1000, 2000, Math.floor(true_Wh / 1000) * 1000]);
    }
    const records = fold(rows);
    for (const record of records.slice(0, -1)) near(record.in, 500, 1e-6);
    near(sum(records, 'in'), 12_000, 1e-6);
  });

  test('wins over a power that is wrong', () => {
    const rows: Row[] = [];
    for (let second = 0; second <= 3600; second += 10) rows.push([second * 1000, 1100, Math.floor(second / 3.6)]);
    near(sum(fold(rows), 'in'), 1000, 10);
  });

  test('that is updated once an hour keeps the shape of the power', () => {
    const rows: Row[] = [];
    for (let second = 0; second <= 6 * 3600; second += 10) {
      const hours = Math.floor(second / 3600);
      rows.push([second * 1000, 2000, hours * 2000]);
    }
    for (const record of fold(rows).slice(6, 20)) near(record.in, 500, 100);
  });

  test('over a gap is spread evenly and marked as estimated', () => {
    const records = fold([
      [0, undefined, 5000],
      [4 * quarterMs, undefined, 5400],
    ]);
    assert.deepEqual(records.map(placeOf), [0, 1, 2, 3, 4]);
    for (const record of records.slice(0, 4)) near(record.in, 100);
    near(sum(records, 'estimated'), 400);
    assert.equal(sum(records, 'coveredMs'), 0);
  });

  test('over a gap is spread evenly, too, if the first readings after it lack the register', () => {
    const records = fold([
      [0, 0, 5000],
      [4 * quarterMs - 20_000, 0],
      [4 * quarterMs - 10_000, 0],
      [4 * quarterMs, 0, 5400],
      [4 * quarterMs + 10_000, 0, 5400],
    ]);
    for (const record of records.slice(0, 4)) near(record.in, 100);
    const dead = fold([[0, 3600, 5000], ...Array.from({ length: 200 }, (_, i): Row => [hourMs + i * 10_000, 3600])]);
    near(sum(dead, 'in'), 1090, 10); // not before a quarter of an hour
  });

  test('over more than 400 days gives nothing', () => {
    const records = fold([
      [0, undefined, 5000],
      [401 * dayMs, undefined, 9000],
      [401 * dayMs + minuteMs, undefined, 9010],
    ]);
    near(sum(records, 'in'), 10);
    assert.ok(records.length <= 2);
  });

  for (const { says, values, expected, at = minuteMs, power } of [
    { says: 'that steps back a little waits', values: [5000, 4995, 5000, 5010], expected: 10 },
    { says: 'that wraps at 2^32 tenths continues', values: [429_496_700, 429_496_720, 4, 20], expected: 49.6 },
    { says: 'that wraps at a million continues', values: [999_990, 5], expected: 15 },
    { says: 'that is reset counts from zero', values: [500_000, 500_020, 30, 40], expected: 60 },
    {
      says: 'that is reset follows the power if it is known',
      values: [500_000, 500_020, 30, 50],
      expected: 60,
      power: 1200,
    },
    { says: 'of another meter starts again', values: [500_000, 500_020, 90_000, 90_020], expected: 40 },
    {
      says: 'of another meter that has counted more starts again',
      values: [5000, 5020, 900_000, 900_020],
      expected: 40,
    },
    { says: 'that reads zero once loses one interval', values: [500_000, 500_020, 0, 500_060, 500_080], expected: 40 },
    {
      says: 'of a meter that was replaced in a gap gives nothing',
      values: [500_000, 90_000, 90_010],
      expected: 10,
      at: hourMs,
    },
  ]) {
    test(says, () => {
      near(sum(fold(values.map((value, i): Row => [i * at, power, value])), 'in'), expected, 1e-3);
    });
  }

  test('that stood still for months and belongs to a new meter now has not wrapped', () => {
    const rows = Array.from({ length: 2400 }, (_, i): Row => [i * hourMs, undefined, 5_000_000 + 1000 * i, 8_654_000]);
    rows.push([2400 * hourMs, undefined, 0, 0]);
    near(sum(fold(rows), 'out'), 0);
  });

  test('that is reset while the power is known has not wrapped', () => {
    const values = [999_000, 999_020, 0, 20];
    const rows = values.map((value, i): Row => [i * minuteMs, 1200, value]);
    near(sum(fold(rows), 'in'), 60, 1e-3);
  });

  test('that is missing from some readings is settled by the next', () => {
    const records = fold([
      [0, 3600, 1000],
      [10_000, 3600, 1010],
      [20_000, 3600],
      [30_000, 3600, 1030],
      [40_000, 3600, 1040],
    ]);
    near(sum(records, 'in'), 40, 1e-6);
  });
});

test('a fold that continues from a chain state gives the same quarters', () => {
  const rows: Row[] = [];
  let register = 12_000;
  for (let at = 0; at < 3 * hourMs; at += 7000 + ((at * 31) % 5000)) {
    const power = Math.round(2000 * Math.sin(at / 1e6));
    register += Math.max(0, power) / 500;
    rows.push([at, power, Math.floor(register / 10) * 10, undefined]);
  }
  const all = fold(rows);
  for (const from of [0, 2, 5, 10]) {
    const { quarter, chain } = all[from]!;
    const rest = fold(
      rows.filter(([at]) => start + at > chain!.at),
      new Fold(chain),
    );
    assert.deepEqual(
      rest,
      all.filter((record) => record.quarter > quarter),
    );
  }
});

test('readings that are late, or have no value of the ledger, change nothing', () => {
  const kept: Row[] = [
    [0, 100],
    [2000, 100],
  ];
  const others: Row[] = [
    [1000, 9999],
    [2000, 9999],
    [3000, undefined],
  ];
  assert.deepEqual(fold([...kept, ...others]), fold(kept));
});
