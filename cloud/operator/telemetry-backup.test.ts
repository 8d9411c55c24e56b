import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openStore } from '../store/store.ts';
import { openTelemetry } from '../store/telemetry/open.ts';
import { rawOf } from '../store/telemetry/testing/answers.ts';
import { backupData } from './backup.ts';
import { restoreData } from './restore.ts';

const log = createLog({ level: 'silent', name: 'test' });
const retention = { rawMs: 1e12, minutesMs: 1e12, hoursMs: Number.POSITIVE_INFINITY };

test('readings that arrive during a backup are in it or not, and a restore returns them while the store is running', async (t) => {
  const folder = temporaryFolder(t);
  const dataDir = join(folder, 'data');
  const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
  const deps = { clock, version: '0.0.0', signal: new AbortController().signal, onProgress: () => {}, log };
  await mkdir(dataDir);
  const store = await openStore({ dataDir, log });
  const telemetry = await openTelemetry({ dataDir, retention, log });
  const append = (count: number, from: number) =>
    telemetry.append(
      Array.from({ length: count }, (_, index) => ({
        der: 1,
        at: from + index,
        received: (from + index) * 1000,
        body: JSON.stringify({ W: index }),
      })),
    );
  const count = async () => (await rawOf(telemetry, 1, clock.now() - 60_000, clock.now() + 60_000)).length;

  await append(500, clock.now());
  const [manifest] = await Promise.all([
    backupData(dataDir, join(folder, 'backup'), deps),
    append(100, clock.now() + 1000),
  ]);
  assert.ok(manifest.files.some(({ path }) => path === 'telemetry.db'));
  assert.equal(await count(), 600);
  await restoreData(join(folder, 'backup'), dataDir, deps);
  const restored = await count();
  assert.ok(restored === 500 || restored === 600, `${restored}`);
  await append(10, clock.now() + 5000);
  assert.equal(await count(), restored + 10);
  await telemetry.close();
  await store.close();
});

test('readings are stored after a restore of a backup that holds more than the running store ever did', async (t) => {
  const folder = temporaryFolder(t);
  const [former, dataDir] = [join(folder, 'former'), join(folder, 'data')];
  const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
  const deps = { clock, version: '0.0.0', signal: new AbortController().signal, onProgress: () => {}, log };
  const open = async (place: string) => {
    await mkdir(place);
    const store = await openStore({ dataDir: place, log });
    const telemetry = await openTelemetry({ dataDir: place, retention, log });
    const close = async () => {
      await telemetry.close();
      await store.close();
    };
    return { telemetry, close };
  };
  const samples = (der: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      der,
      at: clock.now() + index,
      received: (clock.now() + index) * 1000,
      body: '{"W":1}',
    }));

  const before = await open(former);
  await before.telemetry.append(samples(1, 100));
  await before.close();
  await backupData(former, join(folder, 'backup'), deps);

  const running = await open(dataDir);
  await running.telemetry.append(samples(2, 1));
  await restoreData(join(folder, 'backup'), dataDir, deps);
  await running.telemetry.append(samples(3, 60));
  const found = await Promise.all(
    [1, 2, 3].map((der) => rawOf(running.telemetry, der, clock.now() - 86_400_000, clock.now() + 1000)),
  );
  assert.deepEqual(
    found.map(({ length }) => length),
    [100, 0, 60],
  );
  await running.close();
});
