import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { monthMs, windowStart } from './levels.ts';
import { openForWriting, telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { writeTables } from './sqlite/tables.ts';
import { type Chunk, tiers } from './tables.ts';
import type { TelemetryStore } from './telemetry-store.ts';
import { rawOf, textOf } from './testing/answers.ts';
import { forgetBy } from './testing/forget-by.ts';

const log = createLog({ level: 'silent', name: 'test' });
// Chunks of twelve readings half a minute apart, written by 0.1.0.
const hour = Date.UTC(2026, 4, 4, 12);
const hourBody = `
  gwEotS/9IKfVAwBiRxwnkCuNAf2dPld4o15bN/ewey3m4lRshUddhBpZxdEd3n2BGPl7S5ICzGX0bwtpgpD3cDCmBgI+6P6X/BduGjXtOIBg
  sKniVjFWu+9T7pRy7r67ExT11mKL6YECrYsARRGD6oPRv0kPWxqO4mLhVCZ6IAEAh49KFGUBKLUv/SBi3QIAFAUBAICo4K2+ZwQBVw0AAAAY
  ANQBAAsACwAKAkh6DQACAAwAmk4ABQAJAAgDb2RkHAAPABgANkAAVQ1AD3RvdGFsX2ltcG9ydF9XaAYAAAAA/A8DEABC5KAWCnoBKLUv/SCF
  hQMANAYCDYCo4K2+Z8AnCQQBVxIAAAUUDwXSAQwFCQgIBwJIeg4BAQIADACaTgAFAAkACANvZGQ1AA8FFA8ALjJAAACrAKoKAEAAVQgFQAAP
  dG90YWxfaW1wb3J0X1doBwAAAAX0DwgEAGDrXOHjzG3gxg==`;
const dayBody = `
  KLUv/SCn1QMAYkccJ5ArjQH9nT5XeKNeWzf3sHst5uJUbIVHXYQaWcXRHd59gRj5e0uSAsxl9G8LaYKQ93AwpgYCPuj+l/wXbho17TiAYLCp
  4lYxVrvvU+6Ucu6+uxMU9dZii+mBAq2LAEURg+qD0b9JD1sajuJi4VQmeiABAIePShQ=`;
const minutesBody = `
  ASi1L/0g4q0EAAQIBgKAqOCtvmfAqQcEAVcOAAAABALKAQQAAQABAAACSHoPAxUCAAQCkk4IA29kZJQBAA8ABFX/qlb8qlX/1S/yGQcKPwB/
  AAAAAFUAVVX+/+UQ9QUPAFVVqwCrVVVVqgCq1SUK+AoFPwAPdG90YWxfaW1wb3J0X1doBwAAAALUDwgHAGQIeMp6qq4Ce6VcgY5Z2TD1`;
const fivesBody = `
  ASi1L/0ghYUDADQGAg2AqOCtvmfAJwkEAVcSAAAFFA8F0gEMBQkICAcCSHoOAQECAAwAmk4ABQAJAAgDb2RkNQAPBRQPAC4yQAAAqwCqCgBA
  AFUIBUAAD3RvdGFsX2ltcG9ydF9XaAcAAAAF9A8IBABg61zh48xt4MY=`;
const hoursBody = `
  ASi1L/0gYt0CABQFAQCAqOCtvmcEAVcNAAAAGADUAQALAAsACgJIeg0AAgAMAJpOAAUACQAIA29kZBwADwAYADZAAFUNQA90b3RhbF9pbXBv
  cnRfV2gGAAAAAPwPAxAAQuSgFgo=`;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

const day = windowStart(hour, dayMs);
const month = windowStart(hour, monthMs);
const asHour: Chunk[] = [{ tier: tiers.hour, start: hour, body: bytesOf(hourBody) }];
const summaries: Chunk[] = [
  { tier: tiers.fiveMinute, start: day, body: bytesOf(fivesBody) },
  { tier: tiers.hourly, start: month, body: bytesOf(hoursBody) },
];
const asDay: Chunk[] = [{ tier: tiers.day, start: day, body: bytesOf(dayBody) }, ...summaries];
const asMinutes: Chunk[] = [{ tier: tiers.oneMinute, start: day, body: bytesOf(minutesBody) }, ...summaries];

const der = 1;
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };

async function openWith(dataDir: string, chunks: readonly Chunk[]): Promise<TelemetryStore> {
  const database = openForWriting(telemetryFile(dataDir));
  for (const chunk of chunks) await writeTables(database).putChunk(der, chunk);
  database.close();
  return openSqliteTelemetry({ dataDir, retention, log });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the buckets of this length. */
function told(windowMs: number): unknown {
  const windows = Map.groupBy(Array(12).keys(), (i) => windowStart(hour + i * 30_000, windowMs));
  return [...windows].map(([timestamp, rows]) => {
    const spread = (name: string, values: number[]): object =>
      values.length === 0
        ? {}
        : {
            [name]: Math.round((sum(values) / values.length) * 1000) / 1000,
            [`${name}_min`]: Math.min(...values),
            [`${name}_max`]: Math.max(...values),
          };
    const hertz = rows.filter((i) => i % 4 < 2).map((i) => 50 + i / 100);
    const watts = rows.map((i) => 100 + i);
    const odd = rows.map((i) => i / 3);
    const total_import_Wh = 1000 + rows.at(-1)! * 2;
    return { timestamp, ...spread('W', watts), ...spread('Hz', hertz), ...spread('odd', odd), total_import_Wh };
  });
}

async function points(store: TelemetryStore, windowMs: number): Promise<unknown> {
  const edges = Array.from({ length: hourMs / windowMs + 1 }, (_, i) => hour + i * windowMs);
  return JSON.parse(await textOf(store.points(der, { edges })));
}

const windows = [minuteMs, 5 * minuteMs, hourMs];

for (const { says, chunks } of [
  { says: 'an hour', chunks: asHour },
  { says: 'a day', chunks: asDay },
  { says: 'a day without its readings', chunks: asMinutes },
]) {
  test(`${says} as 0.1.0 wrote it is answered, sealed and deleted`, async (t) => {
    const store = await openWith(temporaryFolder(t), chunks);
    const sees = async (): Promise<void> => {
      for (const windowMs of windows) assert.deepEqual(rounded(await points(store, windowMs)), rounded(told(windowMs)));
    };
    await sees();
    await store.seal(hour + 3 * dayMs);
    await sees();
    await forgetBy(store, hour + 40 * dayMs);
    assert.deepEqual(await rawOf(store, der, hour - dayMs, hour + dayMs), []);
    await sees();
    await store.close();
  });
}

/** Rounds sums: thirds added in another order differ in the last digits. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value));
