import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { localDays } from '#lib/local-day.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { windowStart } from './levels.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import type { Sample, TelemetryStore } from './telemetry-store.ts';
import { bucketsOf } from './testing/answers.ts';
import { forgetBy } from './testing/forget-by.ts';
import { NaiveTelemetry } from './testing/naive-telemetry.ts';

const log = createLog({ level: 'silent', name: 'test' });
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };
const first = Date.UTC(2026, 4, 4);
const der = 1;

const engines: { engine: string; skip: false | string; open(t: TestContext): Promise<TelemetryStore> }[] = [
  {
    engine: 'SQLite',
    skip: false,
    open: (t) => openSqliteTelemetry({ dataDir: temporaryFolder(t), retention, log }),
  },
  {
    engine: 'PostgreSQL',
    skip: postgresMissing(),
    async open(t) {
      const { url, drop } = await freshDatabase();
      t.after(drop);
      return openPostgresTelemetry({ url, partitions: 2, retention, log });
    },
  },
];

/** Four days in UTC, silent for the last half hour of the last local day in India (18:30). */
const samples: Sample[] = Array.from({ length: 4 * 24 * 6 }, (_, i) => first + i * 10 * minuteMs)
  .filter((at) => at < first + 3 * dayMs + 18 * hourMs || at >= first + 3 * dayMs + 18.5 * hourMs)
  .map((at, i) => ({ der, at, received: at * 1000, body: JSON.stringify({ W: i, total_import_Wh: 7 * i }) }));

/** Returns a model that knows readings before an instant only by the hour, at its start. */
function knownByHours(before: number): NaiveTelemetry {
  const model = new NaiveTelemetry();
  const early = (at: number): number => windowStart(at, hourMs) + (at % hourMs) / minuteMs;
  model.append(samples.map((sample) => (sample.at < before ? { ...sample, at: early(sample.at) } : sample)));
  return model;
}

for (const { engine, skip, open } of engines) {
  test(`${engine} keeps days that begin within an hour for as long as others`, { skip }, async (t) => {
    const store = await open(t);
    await store.append(samples);
    await store.seal(first + 10 * dayMs);
    const check = async (moment: string, hoursBefore: number): Promise<void> => {
      for (const zone of ['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Adelaide', 'America/St_Johns', 'UTC']) {
        const edges = localDays(zone, first, first + 3 * dayMs + 12 * hourMs);
        const expected = knownByHours(hoursBefore).buckets(der, edges);
        assert.ok(expected.length >= 4);
        assert.deepEqual(await bucketsOf(store, der, edges), expected, `${moment}, ${zone}`);
      }
      const quarters = Array.from({ length: 97 }, (_, i) => first + i * 15 * minuteMs);
      assert.equal((await bucketsOf(store, der, quarters)).length, hoursBefore > first ? 0 : 96, moment);
    };
    await check('all is known', first);
    await forgetBy(store, first + 62 * dayMs);
    await check('of two days the hours', first + 2 * dayMs);
    await forgetBy(store, first + 70 * dayMs);
    await check('of all the hours', first + 4 * dayMs);
    await store.close();
  });
}
