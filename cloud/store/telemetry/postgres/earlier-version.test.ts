import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Client } from 'pg';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { telemetryFile } from '../sqlite/database.ts';
import { openSqliteTelemetry } from '../sqlite/open.ts';
import type { Sample, TelemetryStore } from '../telemetry-store.ts';
import { bucketsOf, rawOf } from '../testing/answers.ts';
import { openPostgresTelemetry } from './open.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const ders = [1, 2, 3, 64, 2 ** 40 + 1];
const start = Date.UTC(2026, 4, 3);
const end = start + dayMs + 6 * hourMs;

// As version 0.1.0 created them.
const tables = `
  create table telemetry_samples (
    der bigint not null, at bigint not null, received bigint not null, body text not null, primary key (der, at)
  ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  create index telemetry_late_samples on telemetry_samples (der, received) where at < received / 1000 - 3600000;
  create table telemetry_chunks (
    tier integer not null, der bigint not null, start bigint not null, body bytea not null, primary key (tier, der, start)
  );
  alter table telemetry_chunks alter body set storage external;
  create table telemetry_newest_sealed (der bigint primary key, at bigint not null, body text not null);
  create table telemetry_state (name text primary key, value bigint not null);`;

const copied = [
  { to: 'telemetry_samples', columns: 'der, at, received, body', from: 'samples join bodies using (seq)' },
  { to: 'telemetry_chunks', columns: 'tier, der, start, body', from: 'chunks' },
  { to: 'telemetry_newest_sealed', columns: 'der, at, body', from: 'newest_sealed' },
  { to: 'telemetry_state', columns: 'name, value', from: 'state' },
];

/** All answers: readings, rollups, the latest, and which can be replayed. */
const answersOf = async (store: TelemetryStore, since: number): Promise<unknown> => [
  await Promise.all(ders.map((der) => rawOf(store, der, start, end))),
  await Promise.all(ders.map((der) => bucketsOf(store, der, [start, start + dayMs / 2, start + dayMs, end]))),
  [...(await store.latest(ders)).values()].sort((a, b) => a.der - b.der),
  (await store.receivedAfter(ders, since))?.map(({ der, at, received, body }) => [der, at, received, body]),
  await store.receivedAfter(ders, start * 1000),
  store.oldestKept(),
];

test('tables of version 0.1.0 are partitioned at the start, of several processes too, and answers stay the same', {
  skip: postgresMissing(),
}, async (t) => {
  const dataDir = temporaryFolder(t);
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const sqlite = await openSqliteTelemetry({ dataDir, retention, log });
  let received = start * 1000;
  const samples = ders.flatMap((der) =>
    Array.from({ length: (end - start) / (5 * minuteMs) }, (_, n): Sample => {
      const at = start + n * 5 * minuteMs;
      received = Math.max(received + 1, at * 1000);
      return { der, at, received: at * 1000 + (der % 1000), body: JSON.stringify({ W: n + der, note: 'å "x"' }) };
    }),
  );
  await sqlite.append(samples);
  await sqlite.seal(end - 20 * minuteMs);
  await sqlite.append([{ der: 1, at: start + 1, received: end * 1000, body: '{"W":-1}' }]); // late
  await sqlite.forget(end);
  const since = (end - 30 * minuteMs) * 1000;
  const before = await answersOf(sqlite, since);
  await sqlite.close();

  const { url, drop } = await freshDatabase();
  t.after(drop);
  const client = new Client(url);
  await client.connect();
  await client.query(tables);
  using database = new DatabaseSync(telemetryFile(dataDir));
  for (const { to, columns, from } of copied) {
    const places = columns.split(', ').map((_, i) => `$${i + 1}`);
    for (const row of database.prepare(`select ${columns} from ${from}`).all())
      await client.query({
        name: to,
        text: `insert into ${to} (${columns}) values (${places.join()})`,
        values: Object.values(row),
      });
  }
  const open = () => openPostgresTelemetry({ url, partitions: 3, retention, log });
  const [one, other] = await Promise.all([open(), open()]);
  for (const store of [one, other]) assert.deepEqual(await answersOf(store, since), before);
  const { rows } = await client.query(
    `select to_regclass('telemetry_samples') as samples, to_regclass('telemetry_chunks') as chunks`,
  );
  assert.deepEqual(rows, [{ samples: null, chunks: null }]);
  await client.end();
  await one.seal(end + 3 * hourMs);
  const [readings, buckets] = (await answersOf(other, since)) as unknown[];
  assert.deepEqual([readings, buckets], (before as unknown[]).slice(0, 2));
  await Promise.all([one.close(), other.close()]);
  const messages = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'telemetry partitioned');
  assert.deepEqual(
    messages.map(({ readings: packed }) => packed > 0),
    [true],
    'by one of them',
  );
});
