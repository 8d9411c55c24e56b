import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { tiers } from './tables.ts';
import type { Retention, Sample, TelemetryStore } from './telemetry-store.ts';
import { type Bucket, bucketsOf, rawOf } from './testing/answers.ts';
import { forgetBy } from './testing/forget-by.ts';

const log = createLog({ level: 'silent', name: 'test' });
const day = Date.UTC(2026, 4, 4);
const halfMinuteMs = minuteMs / 2;
const der = 1;

let lastReceived = 0;
function sampleOf(at: number, values: object, arrivedAt = at): Sample {
  lastReceived = Math.max(lastReceived + 1, arrivedAt * 1000);
  return { der, at, received: lastReceived, body: JSON.stringify(values) };
}

/** Readings every half minute, with a gap; the counter has one glitch within the day and one at its end. */
const samplesOfDay = (start: number): Sample[] =>
  Array.from({ length: 2 * 24 * 60 }, (_, i) => i)
    .filter((i) => i < 500 || i > 700)
    .map((i) => {
      const glitches = i === 2879 || i === 119;
      const total_import_Wh = start / halfMinuteMs + (glitches ? -1e6 : i);
      return sampleOf(start + i * halfMinuteMs, { W: (i * 7919) % 5000, L1_V: 230 + (i % 13) / 10, total_import_Wh });
    });

const minutesOf = (store: TelemetryStore, fields?: string[]): Promise<Bucket[]> =>
  bucketsOf(
    store,
    der,
    Array.from({ length: 24 * 60 + 1 }, (_, minute) => day + minute * minuteMs),
    fields,
  );

const engines: {
  engine: string;
  skip: false | string;
  open(t: TestContext, retention: Retention): Promise<TelemetryStore>;
}[] = [
  {
    engine: 'SQLite',
    skip: false,
    open: (t, retention) => openSqliteTelemetry({ dataDir: temporaryFolder(t), retention, log }),
  },
  {
    engine: 'PostgreSQL',
    skip: postgresMissing(),
    async open(t, retention) {
      const { url, drop } = await freshDatabase();
      t.after(drop);
      return openPostgresTelemetry({ url, partitions: 2, retention, log });
    },
  },
];

for (const { engine, skip, open } of engines) {
  test(`one-minute rollups in ${engine} stay the same after their readings are deleted`, {
    skip,
  }, async (t) => {
    lastReceived = 0;
    const store = await open(t, { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs });
    await store.append([...samplesOfDay(day), ...samplesOfDay(day + dayMs)]);
    const all = await minutesOf(store);
    const power = await minutesOf(store, ['W']);
    assert.equal(all.length, 24 * 60 - 100);
    assert.equal(all.at(-1)!.fields.total_import_Wh!.last, day / halfMinuteMs + 2878);
    assert.equal(all[59]!.fields.total_import_Wh!.last, day / halfMinuteMs + 118);
    const sees = async (moment: string): Promise<void> => {
      assert.deepEqual(await minutesOf(store, ['W']), power, moment);
      assert.deepEqual(await minutesOf(store), all, moment);
      assert.deepEqual(await minutesOf(store), all, `${moment}, asked again`);
    };
    await store.seal(day + dayMs + 20 * minuteMs);
    await sees('in hours, and the last as it came');
    await store.seal(day + 2 * dayMs + hourMs);
    await sees('as a day');
    const late = sampleOf(day + 3 * hourMs + 7000, { W: 9000 }, day + 3 * dayMs);
    await store.append([late]);
    for (const buckets of [all, power]) Object.assign(buckets[3 * 60]!.fields.W!, withLate(buckets[3 * 60]!));
    await sees('with what came late');
    await store.seal(day + 4 * dayMs);
    await sees('with what came late, sealed');
    await forgetBy(store, day + 40 * dayMs);
    assert.deepEqual(await rawOf(store, der, day, day + dayMs), []);
    await sees('without readings');
    await forgetBy(store, day + 70 * dayMs);
    assert.deepEqual(await minutesOf(store), []);
    await store.close();
  });

  test(`one-minute rollups in ${engine} with the same retention as readings are deleted with them`, {
    skip,
  }, async (t) => {
    lastReceived = 0;
    const store = await open(t, { rawMs: 30 * dayMs, minutesMs: 10 * dayMs, hoursMs: 400 * dayMs });
    await store.append(samplesOfDay(day));
    await store.seal(day + 2 * dayMs);
    await forgetBy(store, day + 40 * dayMs);
    assert.deepEqual(await minutesOf(store), []);
    assert.equal((await bucketsOf(store, der, [day, day + hourMs])).length, 1);
    await store.close();
  });
}

/** Two values of the day, and the late one. */
function withLate({ fields: { W } }: Bucket): object {
  return { mean: (W!.mean * 2 + 9000) / 3, max: 9000 };
}

test('one-minute rollups are stored when the readings of their day are deleted', async (t) => {
  lastReceived = 0;
  const dataDir = temporaryFolder(t);
  const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };
  const store = await openSqliteTelemetry({ dataDir, retention, log });
  const keptTiers = (): unknown[] => {
    using database = new DatabaseSync(telemetryFile(dataDir), { readOnly: true });
    return database
      .prepare('select distinct tier from chunks where der = ? order by tier')
      .all(der)
      .map((row) => row.tier);
  };
  await store.append(samplesOfDay(day));
  await store.seal(day + 2 * dayMs);
  assert.deepEqual(keptTiers(), [tiers.day, tiers.hourly, tiers.fiveMinute]);
  await forgetBy(store, day + 40 * dayMs);
  assert.deepEqual(keptTiers(), [tiers.oneMinute, tiers.hourly, tiers.fiveMinute]);
  await store.close();
});
