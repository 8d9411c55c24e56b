import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { dayMs, hourMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openPostgresTelemetry } from './postgres/open.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';
import type { Sample } from './telemetry-store.ts';
import { rawOf } from './testing/answers.ts';
import { Thread } from './threads.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 400 * dayMs };
const noon = Date.UTC(2026, 4, 4, 12);
const der = 1;

const sampleOf = (at: number): Sample => ({ der, at, received: at * 1000, body: '{"W":1}' });

/** Records what is logged and the threads that are started, in order. */
function watch(t: TestContext) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on('worker', note);
  t.after(() => process.off('worker', note));
  const lost = (): unknown[] => lines.map((line) => (JSON.parse(line) as { thread?: string }).thread);
  return { log, threads, lost };
}

const script = new URL(
  `data:text/javascript,
   import { parentPort, workerData } from 'node:worker_threads';
   parentPort.on('message', ({ id, method }) => {
     if (method === 'wait') return;
     if (method === 'fail') throw new Error('It was too much.');
     parentPort.postMessage({ id, result: workerData });
   });`,
);

type Fragile = Record<'tell' | 'wait' | 'fail' | 'close', () => Promise<unknown>> & { close(): Promise<void> };

test('pending calls fail when their thread is lost, and the next call starts another', async () => {
  const lost: string[] = [];
  let begun = 0;
  const thread = new Thread<Fragile>({
    script,
    given: () => ({ workerData: ++begun }),
    onLost: ({ message }) => lost.push(message),
  });
  assert.equal(begun, 0);
  assert.equal(await thread.call('tell', []), 1);
  const waiting = assert.rejects(thread.call('wait', []), /too much/);
  await assert.rejects(thread.call('fail', []), /too much/);
  await waiting;
  assert.equal(await thread.call('tell', []), 2);
  assert.equal(await thread.call('tell', []), 2);
  assert.deepEqual(lost, ['It was too much.']);
  await thread.close();
  await assert.rejects(thread.call('tell', []), /closed/);
  assert.equal(lost.length, 1);
});

test('a lost SQLite thread is logged once and restarted', async (t) => {
  const { log, threads, lost } = watch(t);
  const store = await openSqliteTelemetry({ dataDir: temporaryFolder(t), retention, log });
  const ats: number[] = [];
  const works = async (): Promise<void> => {
    const at = noon + ats.length * hourMs;
    ats.push(at);
    await store.append([sampleOf(at)]);
    assert.equal((await store.seal(at + 3 * hourMs)).readings, 1);
    const readings = await rawOf(store, der, noon, noon + dayMs);
    assert.deepEqual(
      readings.map(({ at: measured }) => measured),
      ats,
    );
  };
  await works();
  const [writer, sealer, reader] = threads;

  await reader!.terminate();
  assert.deepEqual(lost(), ['reader']);
  await works();

  await sealer!.terminate();
  assert.deepEqual(lost(), ['reader', 'sealer']);
  await works();
  assert.equal(threads.length, 5);

  const ended = new Promise((resolve) => threads.at(-1)!.once('exit', resolve)); // it has lost its writer
  await Promise.all([writer!.terminate(), ended]);
  assert.deepEqual(new Set(lost().slice(2)), new Set(['sealer', 'writer']));
  await works();
  assert.equal(threads.length, 7);

  await store.close();
  await assert.rejects(rawOf(store, der, noon, noon + dayMs), /closed/);
  assert.equal(lost().length, 4);
});

test('a lost PostgreSQL thread is logged once and restarted', { skip: postgresMissing() }, async (t) => {
  const { log, threads, lost } = watch(t);
  const { url, drop } = await freshDatabase();
  t.after(drop);
  const store = await openPostgresTelemetry({ url, partitions: 2, retention, log });
  await store.append([sampleOf(noon)]);
  assert.equal((await store.seal(noon + 3 * hourMs)).readings, 1);
  await threads[0]!.terminate();
  await store.append([sampleOf(noon + hourMs)]);
  assert.equal((await store.seal(noon + 4 * hourMs)).readings, 1);
  assert.deepEqual(lost(), ['sealer']);
  assert.equal(threads.length, 2);
  await store.close();
});
