import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { windowStart } from './levels.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { sealHour } from './sealing.ts';
import { openForWriting, telemetryFile } from './sqlite/database.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import { applyChanges, recordingTables, type TableChange, writeTables } from './sqlite/tables.ts';
import type { Sample, TelemetryStore } from './telemetry-store.ts';
import { rawOf } from './testing/answers.ts';

const log = createLog({ level: 'silent', name: 'test' });
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const now = Date.UTC(2026, 4, 4, 12);
const yearMs = 365 * dayMs;
const der = 1;

const sampleOf = (at: number, arrivedAt = at): Sample => ({ der, at, received: arrivedAt * 1000, body: '{"W":1}' });
const history = [20 * dayMs, 10 * dayMs, 5 * dayMs, 3 * hourMs].map((ago) => now - ago);

const timesOf = async (store: TelemetryStore): Promise<number[]> =>
  (await rawOf(store, der, now - 60 * dayMs, now + 2 * yearMs)).map(({ at }) => at);

type Open = () => Promise<TelemetryStore>;

const engines: { engine: string; skip: false | string; place(t: TestContext): Promise<Open> }[] = [
  {
    engine: 'SQLite',
    skip: false,
    async place(t) {
      const dataDir = temporaryFolder(t);
      return () => openSqliteTelemetry({ dataDir, retention, log });
    },
  },
  {
    engine: 'PostgreSQL',
    skip: postgresMissing(),
    async place(t) {
      const { url, drop } = await freshDatabase();
      t.after(drop);
      return () => openPostgresTelemetry({ url, partitions: 2, retention, log });
    },
  },
];

for (const { engine, skip, place } of engines) {
  test(`a clock that is a year ahead for a while makes ${engine} delete nothing and refuse nothing`, {
    skip,
  }, async (t) => {
    const open = await place(t);
    let store = await open();
    await store.append(history.map((at) => sampleOf(at)));
    await store.seal(now);
    await store.forget(now);
    const kept = store.oldestKept();
    for (let run = 0; run < 3; run++) {
      await store.seal(now + yearMs);
      await store.forget(now + yearMs);
    }
    assert.deepEqual(await timesOf(store), history);
    assert.ok(store.oldestKept() <= kept + dayMs);
    await store.forget(now);
    await store.close();
    store = await open();
    await store.append([sampleOf(now)]);
    await store.seal(now + 2 * hourMs);
    assert.deepEqual(await timesOf(store), [...history, now]);
    await store.close();
  });

  test(`when readings follow the clock that is ahead, ${engine} deletes one day per call`, { skip }, async (t) => {
    const store = await (await place(t))();
    await store.append([...history.map((at) => sampleOf(at)), sampleOf(now + yearMs - 3 * hourMs)]);
    await store.seal(now);
    await store.forget(now);
    const kept = store.oldestKept();
    await store.seal(now + yearMs);
    for (let run = 1; run <= 3; run++) {
      await store.forget(now + yearMs);
      assert.equal(store.oldestKept(), kept + run * dayMs);
    }
    assert.deepEqual((await timesOf(store)).slice(0, -1), history);
    await store.close();
  });
}

for (const { engine, skip, place } of engines) {
  test(`samples received by a clock that was ahead are sealed in ${engine} after it is corrected`, {
    skip,
  }, async (t) => {
    const store = await (await place(t))();
    const ahead = sampleOf(now - 3 * hourMs, now + yearMs);
    await store.append([sampleOf(now - 3 * hourMs - 1000), ahead]);
    const { readings } = await store.seal(now);
    assert.equal(readings, 2);
    assert.deepEqual(await timesOf(store), [now - 3 * hourMs - 1000, now - 3 * hourMs]);
    assert.equal(await store.receivedAfter([der], now * 1000), undefined, 'a gap is reported');

    const later = now + dayMs + hourMs;
    const samples = [later, later + 1000].map((at) => sampleOf(at));
    await store.append(samples);
    assert.deepEqual(await store.receivedAfter([der], samples[0]!.received), samples.slice(1));
    await store.close();
  });
}

test('samples that arrive while an hour is sealed stay, even if others of the hour are ahead of them', async (t) => {
  const database = openForWriting(telemetryFile(temporaryFolder(t)));
  t.after(() => database.close());
  const arrive = (at: number, received: number): void => {
    database.prepare('insert into bodies (seq, body) values (?, ?)').run(at, '{"W":1}');
    const row = database.prepare('insert into samples (minute, der, at, received, seq) values (?, ?, ?, ?, ?)');
    row.run(Math.floor(at / minuteMs), der, at, received, at);
  };
  const hour = now - 3 * hourMs;
  arrive(hour, hour * 1000);
  arrive(hour + 1000, (now + yearMs) * 1000);
  const changes: TableChange[] = [];
  await sealHour(
    recordingTables(database, (change) => changes.push(change)),
    { der, at: hour },
    now,
  );
  arrive(hour + 2000, now * 1000);
  await applyChanges(writeTables(database), changes);
  assert.deepEqual(database.prepare('select at - ? as at from samples').all(hour), [{ __proto__: null, at: 2000 }]);
});

test('readings are accepted again after future ones were deleted', async (t) => {
  const dataDir = temporaryFolder(t);
  let store = await openSqliteTelemetry({ dataDir, retention, log });
  await store.append(history.map((at) => sampleOf(at)));
  await store.seal(now);
  await store.close();
  const database = openForWriting(telemetryFile(dataDir));
  await writeTables(database).putState('forgotten_before', now + yearMs);
  database.close();
  store = await openSqliteTelemetry({ dataDir, retention, log });
  assert.equal(store.oldestKept(), now + yearMs);
  await store.forget(now);
  assert.equal(store.oldestKept(), windowStart(now, dayMs));
  await store.append([sampleOf(now)]);
  await store.seal(now + 2 * hourMs);
  assert.equal((await timesOf(store)).at(-1), now);
  await store.close();
});
