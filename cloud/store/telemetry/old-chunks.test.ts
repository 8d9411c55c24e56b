import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { readingsOfHour } from './hour-chunk.ts';
import { encodeReadings } from './reading-chunk.ts';
import { openForWriting, telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { writeTables } from './sqlite/tables.ts';
import { type Chunk, tiers } from './tables.ts';
import type { TelemetryStore } from './telemetry-store.ts';
import { dayMs, hourMs, minuteMs, monthMs, windowOf } from './windows.ts';

// Written when an hour had its minutes with it, and every window its last value: twelve readings, half a minute apart.
const hour = Date.UTC(2026, 4, 4, 12);
const hourBody = `
  ggEotS/9IKfNAwDUBgwAAoCo4K2+Z+DUAwQBVwcAAAACyAECAkh6DQYzAwIABpBOAgQDBAMDb2RkYgAPAFUAVVX+q6v+Vav+/6qq/1Wq/9Uw
  FQUP+gIHDQIHAD8AAAAAfwAPdG90YWxfaW1wb3J0X1doBwAAAALQDwQDAFCCIIi9bwsUbCi1L/0gbh0DAIQFAQCAqOCtvmcEAVcPAAAAGADU
  AQALAAsACgAKAkh6DwACAAwAmk4ABQAJAAgACANvZGQkAA8AGAA2QABVDUBVDUAPdG90YWxfaW1wb3J0X1doBgAAAAD8DwQQADL35sAWCoEB
  KLUv/SCaxQMAhAYCDYCo4K2+Z8AnCQQBVxUAAAUUDwXSAQwFCQgIBwUIBwJIehABAQIADACaTgAFAAkACAAIA29kZEUADwUUDwAuMkAAAKsA
  qgoAQABVCAVAAA90b3RhbF9pbXBvcnRfV2gHAAAABfQPCAUAMxEBW+cKJ87eBm4MoAEotS/9YBYAtQQA5AcGAoCo4K2+Z8CpBwQBVxAAAAAE
  AsoBBAABAAEAAAAAAkh6EQMVAgAEApJOCANvZGTEAQAPAARV/6pW/KpV/9Uv8hkHCj8Af1UAVVX+/+UQ9QUPAFVVqwCrVVVVqgCq1SUK+AoF
  PwAPdG90YWxfaW1wb3J0X1doBwAAAALUDwgIAJnq5CnrqboK7E2dnoJ16FggElMP`;
const minutesBody = `
  KLUv/WAWALUEAOQHBgKAqOCtvmfAqQcEAVcQAAAABALKAQQAAQABAAAAAAJIehEDFQIABAKSTggDb2RkxAEADwAEVf+qVvyqVf/VL/IZBwo/
  AH9VAFVV/v/lEPUFDwBVVasAq1VVVaoAqtUlCvgKBT8AD3RvdGFsX2ltcG9ydF9XaAcAAAAC1A8ICACZ6uQp66m6CuxNnZ6CdehYIBJTDw==`;
const fivesBody = `
  KLUv/SCaxQMAhAYCDYCo4K2+Z8AnCQQBVxUAAAUUDwXSAQwFCQgIBwUIBwJIehABAQIADACaTgAFAAkACAAIA29kZEUADwUUDwAuMkAAAKsA
  qgoAQABVCAVAAA90b3RhbF9pbXBvcnRfV2gHAAAABfQPCAUAMxEBW+cKJ87eBm4M`;
const hoursBody = `
  KLUv/SBuHQMAhAUBAICo4K2+ZwQBVw8AAAAYANQBAAsACwAKAAoCSHoPAAIADACaTgAFAAkACAAIA29kZCQADwAYADZAAFUNQFUNQA90b3Rh
  bF9pbXBvcnRfV2gGAAAAAPwPBBAAMvfmwBYK`;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');

const day = windowOf(hour, dayMs);
const month = windowOf(hour, monthMs);
const asHour: Chunk[] = [{ tier: tiers.hour, start: hour, body: bytesOf(hourBody) }];
const asDay: Chunk[] = [
  { tier: tiers.day, start: day, body: encodeReadings(readingsOfHour(bytesOf(hourBody))) },
  { tier: tiers.minutes, start: day, body: bytesOf(minutesBody) },
  { tier: tiers.fives, start: day, body: bytesOf(fivesBody) },
  { tier: tiers.hours, start: month, body: bytesOf(hoursBody) },
];

const der = 1;
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };

async function openWith(dataDir: string, chunks: readonly Chunk[]): Promise<TelemetryStore> {
  const database = openForWriting(telemetryFile(dataDir));
  for (const chunk of chunks) await writeTables(database).putChunk(der, chunk);
  database.close();
  return openSqliteTelemetry({ dataDir, retention });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What the buckets of this length tell, of the readings from 0 to before this many. */
function told(windowMs: number, count = 12): unknown {
  const windows = Map.groupBy(Array(count).keys(), (i) => windowOf(hour + i * 30_000, windowMs));
  return [...windows].map(([timestamp, rows]) => {
    const spread = (name: string, values: number[]): object =>
      values.length === 0
        ? {}
        : {
            [name]: sum(values) / values.length,
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
  return JSON.parse(Buffer.from(await store.points(der, { edges })).toString());
}

const windows = [minuteMs, 5 * minuteMs, hourMs];

for (const { says, chunks } of [
  { says: 'an hour', chunks: asHour },
  { says: 'a day', chunks: asDay },
]) {
  test(`${says} that was sealed with its minutes and last values is answered, sealed and forgotten alike`, async (t) => {
    const store = await openWith(temporaryFolder(t), chunks);
    const sees = async (): Promise<void> => {
      for (const windowMs of windows) assert.deepEqual(rounded(await points(store, windowMs)), rounded(told(windowMs)));
    };
    await sees();
    await store.seal(hour + 3 * dayMs);
    await sees();
    await store.forget(hour + 40 * dayMs);
    assert.deepEqual(await store.raw(der, 0, hour + dayMs), []);
    await sees();
    await store.close();
  });
}

test('a reading that comes late to a day that was sealed with its minutes is among them', async (t) => {
  const store = await openWith(temporaryFolder(t), asDay);
  const values = { W: 112, Hz: 50.12, odd: 4, total_import_Wh: 1024 };
  const late = hour + 3 * dayMs;
  await store.append([{ der, at: hour + 6 * minuteMs, received: late * 1000, body: JSON.stringify(values) }]);
  for (const now of [late, late + dayMs, late + 40 * dayMs]) {
    for (const windowMs of windows) {
      assert.deepEqual(rounded(await points(store, windowMs)), rounded(told(windowMs, 13)));
    }
    await store.seal(now);
    await store.forget(now);
  }
  await store.close();
});

/** Sums of thirds end differently when they are added in another order. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_, value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value));
