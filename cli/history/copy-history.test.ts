import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Resolution } from '#contract/cloud/telemetry.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { copyHistory, csvOf, jsonLines, openExportFile } from './copy-history.ts';
import { columnsOf, type HistoryReader, slicesOf } from './history.ts';

const folder = temporaryFolder({ after });
const { signal } = new AbortController();

for (const [resolution, lengthMs, atMost] of [
  ['raw', 2 * dayMs, hourMs],
  ['1m', 92 * dayMs, 2 * dayMs],
  ['15m', 365 * dayMs, 28 * dayMs],
  ['1d', 4000 * dayMs, 3650 * dayMs],
] as const) {
  test(`slices of ${resolution} cover the range without gap or overlap, each small`, () => {
    const from = Date.parse('2026-01-01T00:00:07Z');
    const slices = [...slicesOf({ from, to: from + lengthMs }, resolution)];
    assert.equal(slices[0]!.from, from);
    assert.equal(slices.at(-1)!.to, from + lengthMs);
    for (const [n, slice] of slices.entries()) {
      assert.ok(slice.to > slice.from && slice.to - slice.from <= atMost);
      if (n > 0) assert.equal(slice.from, slices[n - 1]!.to);
    }
  });
}

/** A row a minute; whole buckets, as the platform answers. */
const everyMinute: HistoryReader = async ({ from, to }) => {
  const rows = [];
  for (let timestamp = Math.floor(from / 60_000) * 60_000; timestamp < to; timestamp += 60_000) {
    rows.push({ timestamp, W: (timestamp / 60_000) % 1000 });
  }
  return { resolution: '1m', rows };
};

const copying = (history: HistoryReader, resolution: Resolution, file: { write(text: string): Promise<void> }) => ({
  history,
  range: { from: Date.parse('2026-01-01T00:00:30Z'), to: Date.parse('2026-01-06T00:00:00Z') },
  resolution,
  fields: undefined,
  form: csvOf(['W', 'V']),
  file: { ...file, finish: async () => {}, discard: async () => {} },
  signal,
});

test('every row is written once and in order, a slice at a time', async () => {
  const written: string[] = [];
  let asked = 0;
  const shown: number[] = [];
  const history: HistoryReader = (...args) => {
    asked++;
    return everyMinute(...args);
  };
  const file = { write: async (text: string) => void written.push(text) };
  const count = await copyHistory(copying(history, '1m', file), (done) => shown.push(done));
  const lines = written.join('').trimEnd().split('\n');
  assert.equal(count, 5 * 1440);
  assert.equal(lines.length, count + 1);
  assert.equal(lines[0], 'timestamp,W,V');
  assert.match(lines[1]!, /^2026-01-01T00:00:00\.000Z,\d+,$/);
  assert.deepEqual(lines.slice(1).toSorted(), lines.slice(1));
  assert.equal(new Set(lines).size, lines.length);
  assert.ok(asked >= 3 && written.every((text) => text.length < 2 * 1440 * 40));
  assert.deepEqual([shown[0], shown.at(-1)], [0, 1]);
});

test('a bucket that two slices share is written once', async () => {
  const days: HistoryReader = async ({ from }) => {
    const start = Math.floor(from / (10 * dayMs)) * 10 * dayMs; // as long as several slices
    return { resolution: '1d', rows: [{ timestamp: start, W: 1 }] };
  };
  const file = { write: async () => {} };
  assert.equal(await copyHistory(copying(days, '1m', file), () => {}), 1);
});

test('a line of JSON is the row as it came', () => {
  assert.equal(jsonLines.line({ timestamp: 1, W: -2 }), '{"timestamp":1,"W":-2}\n');
});

test('columns are in the documented order; raw readings have no minimum and maximum', () => {
  const rows = [
    { timestamp: 1, V: 1, W: 1, W_min: 1, W_max: 1, own_x: 1 },
    { timestamp: 2, SoC_nom_fract: 0.5 },
  ];
  assert.deepEqual(columnsOf(rows, false), ['W', 'W_max', 'W_min', 'V', 'SoC_nom_fract', 'own_x']);
  assert.deepEqual(columnsOf(rows, true), ['W', 'V', 'SoC_nom_fract', 'own_x']);
});

test('a file has its name when it is finished, and leaves nothing when it is discarded', async () => {
  const path = join(folder, 'a.csv');
  const first = await openExportFile(path);
  await first.write('half');
  assert.equal(existsSync(path), false);
  await first.discard();
  assert.deepEqual(readdirSync(folder), []);
  const second = await openExportFile(path);
  await second.write('one\n');
  await second.write('two\n');
  await second.finish();
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  assert.deepEqual(readdirSync(folder), ['a.csv']);
});
