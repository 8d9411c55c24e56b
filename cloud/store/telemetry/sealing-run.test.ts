import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { tiers } from './tables.ts';
import type { Sample } from './telemetry-store.ts';

const log = createLog({ level: 'silent', name: 'test' });
const day = Date.UTC(2026, 4, 4);
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };

const sampleOf = (der: number, at: number, arrivedAt = at): Sample => ({
  der,
  at,
  received: arrivedAt * 1000 + der,
  body: JSON.stringify({ W: 1 }),
});

test('the hours of a day become one chunk when it is over, for a DER that reports late too', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await openSqliteTelemetry({ dataDir, retention, log });
  const chunksOf = (tier: number): unknown[] => {
    using database = new DatabaseSync(telemetryFile(dataDir), { readOnly: true });
    const rows = database.prepare('select der, start from chunks where tier = ? order by der, start').all(tier);
    return rows.map(({ der, start }) => [der, (Number(start) - day) / hourMs]);
  };
  const evening = day + 20 * hourMs;
  await store.append([sampleOf(1, day + 2 * hourMs), sampleOf(1, day + 3 * hourMs)]);
  await store.seal(evening);
  assert.deepEqual(chunksOf(tiers.hour), [
    [1, 2],
    [1, 3],
  ]);

  const tomorrow = day + dayMs + 10 * minuteMs;
  await store.seal(tomorrow);
  assert.deepEqual([chunksOf(tiers.hour), chunksOf(tiers.day)], [[], [[1, 0]]]);

  await store.append([sampleOf(2, day + 5 * hourMs, tomorrow), sampleOf(2, day + 7 * hourMs, tomorrow)]);
  await store.seal(tomorrow + hourMs);
  assert.deepEqual(chunksOf(tiers.hour), []);
  assert.deepEqual(chunksOf(tiers.day), [
    [1, 0],
    [2, 0],
  ]);
  await store.close();
});
