import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { createSealDue } from './sealing-run.ts';
import { telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { type DerTime, tiers, type WriteTables } from './tables.ts';
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

/** Hot rows of some DERs in one hour, in memory. Nothing is sealed of those whose rows are recent. */
function hourOf(ders: readonly number[], hour: number, { now, recent }: { now: number; recent: readonly number[] }) {
  const hot = new Set(ders);
  const searches: number[] = [];
  const tables: Partial<WriteTables> = {
    chunks: async () => [],
    hotRows: async (der, from) => {
      if (from > hour || !hot.has(der)) return [];
      return [{ ...sampleOf(der, hour), received: (recent.includes(der) ? now : hour) * 1000 }];
    },
    dropHot: async (der) => void hot.delete(der),
    raiseState: async () => {},
    state: async () => 0,
    putChunk: async () => {},
    putNewestSealed: async () => {},
    nextChunk: async () => void searches.push(hot.size),
  };
  const sealing = {
    transact: <T>(work: (tables: WriteTables) => Promise<T>) => work(tables as WriteTables),
    hotHours: async (): Promise<DerTime[]> => [...hot].map((der) => ({ der, at: hour })),
  };
  return { sealing, left: () => [...hot], searches };
}

test('half of what is due is sealed at once when asked, past what cannot be sealed yet, and days at the end', async () => {
  const now = day + 10 * dayMs;
  const hour = day + 5 * hourMs; // of a day that is over
  const { sealing, left, searches } = hourOf([1, 2, 3, 4, 5, 6, 7], hour, { now, recent: [1, 2] });
  const seal = createSealDue();
  assert.deepEqual([(await seal(sealing, now, 0.5)).isDone, left(), searches], [false, [1, 2, 7], []]);
  assert.deepEqual([(await seal(sealing, now, 0.5)).isDone, left(), searches], [true, [1, 2], [2]]);
  assert.equal((await seal(sealing, now, 0.5)).isDone, true, 'nothing can be sealed');
});

test('a day is searched for sealed hours when its last hour was sealed elsewhere', async () => {
  const now = day + 10 * dayMs;
  const seal = createSealDue();
  const empty = hourOf([], day, { now, recent: [] });
  await seal(empty.sealing, now);
  await seal(empty.sealing, now);
  assert.deepEqual(empty.searches, [0], 'once a day');
  const { sealing, searches } = hourOf([1, 2], day, { now, recent: [] });
  assert.equal((await seal(sealing, now, 0.5)).isDone, false);
  await createSealDue()(sealing, now);
  searches.length = 0;
  await seal(empty.sealing, now);
  assert.deepEqual(empty.searches, [0, 0]);
});
