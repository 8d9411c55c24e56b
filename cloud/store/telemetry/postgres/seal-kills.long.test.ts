import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { postgresMissing, startPostgres } from '#test/services/postgres.ts';
import type { Sample, TelemetryStore } from '../telemetry-store.ts';
import { rawOf } from '../testing/answers.ts';
import { openPostgresTelemetry } from './open.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const log = createLog({ level: 'silent', name: 'test' });
const day = Date.UTC(2026, 4, 4);
const ders = Array.from({ length: 32 }, (_, i) => 1 + i);
const perHour = 180;
const hours = 12;

const hourOf = (der: number, hour: number): Sample[] =>
  Array.from({ length: perHour }, (_, n) => {
    const at = hour + (n * hourMs) / perHour;
    return { der, at, received: at * 1000 + der, body: JSON.stringify({ W: der * 1000 + n, kWh: n }) };
  });

/** Kills PostgreSQL during `seal`, after a share of the time that the last complete one took. */
test('killing PostgreSQL while it seals loses no reading and doubles none', { skip: postgresMissing() }, async (t) => {
  const postgres = await startPostgres({ durable: true });
  t.after(postgres.stop);
  const open = (): Promise<TelemetryStore> =>
    openPostgresTelemetry({ url: postgres.url(), partitions: 8, retention, log });
  let completeMs = 0;
  let undone = 0;
  for (let n = 0; n < hours; n++) {
    const hour = day + n * hourMs;
    let store = await open();
    await store.append(ders.flatMap((der) => hourOf(der, hour)));
    if (n > 0) {
      const interrupted = store.seal(hour + 2 * hourMs).catch(() => undefined);
      await sleep((completeMs * n) / hours);
      await postgres.restart('SIGKILL');
      await interrupted;
      await store.close().catch(() => {});
      store = await open();
    }
    const began = performance.now();
    const { readings } = await store.seal(hour + 2 * hourMs);
    if (n === 0) completeMs = performance.now() - began;
    else if (readings > 0) undone++;
    for (const der of ders) {
      const found = await rawOf(store, der, day, hour + hourMs, ['W']);
      assert.equal(found.length, (n + 1) * perHour, `DER ${der} after ${n} kills`);
    }
    await store.close();
  }
  t.diagnostic(`${hours - 1} kills, ${undone} of them before all was sealed`);
  assert.ok(undone > 2, 'no kill interrupted the sealer');
});
