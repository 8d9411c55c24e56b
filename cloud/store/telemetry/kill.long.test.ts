import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { dayMs, hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import type { TelemetryStore } from './telemetry-store.ts';
import { bucketsOf, rawOf } from './testing/answers.ts';

const kills = 12;
const enough = 500; // readings
const ders = [1, 2, 3];
const start = Date.UTC(2026, 4, 4);
const retention = { rawMs: 90 * dayMs, minutesMs: 90 * dayMs, hoursMs: 90 * dayMs };
const log = createLog({ level: 'silent', name: 'test' });

// Appends readings a minute apart, beginning at a count, while it seals. Prints after each batch how many are stored.
const writer = `
  import { openSqliteTelemetry } from '#cloud/store/telemetry/sqlite/open.ts';
  import { openPostgresTelemetry } from '#cloud/store/telemetry/postgres/open.ts';
  import { createLog } from '#lib/log.ts';
  const { dataDir, url, retention, ders, start, from } = JSON.parse(process.argv[1]);
  const log = createLog({ level: 'silent', name: 'child' });
  const store = url ? await openPostgresTelemetry({ url, partitions: 2, retention, log }) : await openSqliteTelemetry({ dataDir, retention, log });
  let sealing = false;
  for (let count = from; ; count += 10) {
    const samples = Array.from({ length: 10 }, (_, i) => count + i).flatMap((n) =>
      ders.map((der) => {
        const at = start + n * 60_000;
        return { der, at, received: at * 1000 + der, body: JSON.stringify({ n, total_import_Wh: n }) };
      }));
    await store.append(samples);
    process.stdout.write(count + 10 + '\\n');
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (sealing) continue;
    sealing = true;
    store.seal(start + count * 60_000).then(() => { sealing = false; });
  }
`;

for (const { engine, skip } of [
  { engine: 'SQLite', skip: false as const },
  { engine: 'PostgreSQL', skip: postgresMissing() },
]) {
  test(`readings that ${engine} acknowledged survive kills at any time, sealed or not, without duplicates`, {
    skip,
  }, async (t) => {
    const dataDir = temporaryFolder(t);
    const database = engine === 'PostgreSQL' ? await freshDatabase() : undefined;
    const open = (): Promise<TelemetryStore> =>
      database
        ? openPostgresTelemetry({ url: database.url, partitions: 2, retention, log })
        : openSqliteTelemetry({ dataDir, retention, log });
    let safe = 0;
    // On a busy machine it takes longer until there is enough to lose.
    for (let kill = 0; kill < kills || (safe <= enough && kill < 3 * kills); kill++) {
      // Overlaps the stored readings: they may be sent again.
      const options = { dataDir, url: database?.url, retention, ders, start, from: Math.max(0, safe - 20) };
      const child = spawn(
        process.execPath,
        ['--input-type=module-typescript', '--eval', writer, JSON.stringify(options)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      safe = Math.max(safe, await lastReport(child, 20 + 15 * kill));
      const store = await open();
      await checkLedger(store, safe);
      await store.close();
    }
    assert.ok(safe > enough, `only ${safe} readings were reported safe`);
    const store = await open();
    await assert.rejects(checkLedger(store, safe + 1000), 'the ledger notices a loss');
    await store.seal(start + safe * 60_000 + 2 * dayMs);
    await checkLedger(store, safe);
    await store.close();
    await database?.drop();
  });
}

/** Returns the last output of a child that is killed some time after its first output. */
async function lastReport(child: ChildProcess, afterMs: number): Promise<number> {
  const lines = createInterface({ input: child.stdout! });
  const ended = once(lines, 'close');
  let last = 0;
  lines.on('line', (line) => {
    last = Number(line);
  });
  await Promise.race([once(lines, 'line'), ended]);
  setTimeout(() => child.kill('SIGKILL'), afterMs);
  await ended;
  return last;
}

async function checkLedger(store: TelemetryStore, safe: number): Promise<void> {
  for (const der of ders) {
    const readings = await rawOf(store, der, start, start + 400 * dayMs);
    assert.ok(readings.length >= safe, `${readings.length} readings of ${safe}`);
    for (const [n, { at, values }] of readings.entries()) {
      assert.equal(at, start + n * 60_000);
      assert.deepEqual(values, { n, total_import_Wh: n });
    }
    const hours = Array.from({ length: Math.floor(safe / 60) + 1 }, (_, hour) => start + hour * hourMs);
    const buckets = await bucketsOf(store, der, hours);
    assert.deepEqual(
      buckets.map(({ fields }) => fields.n!.mean),
      hours.slice(1).map((_, hour) => hour * 60 + 29.5),
    );
  }
}
