import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openPostgresTelemetry } from '#cloud/store/telemetry/postgres/open.ts';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase, postgresMissing } from '#test/services/postgres.ts';
import { runInProcess } from '../testing/in-process.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const log = createLog({ level: 'silent', name: 'test' });

suite('admin telemetry', { skip: postgresMissing() }, () => {
  test('lists partitions and moves one', async (t) => {
    const [main, east] = [await freshDatabase(), await freshDatabase()];
    t.after(() => Promise.all([main.drop(), east.drop()]));
    const store = await openPostgresTelemetry({ url: main.url, partitions: 2, retention, log });
    await store.append([{ der: 1, at: 1000, received: 1_000_000, body: '{"W":1}' }]);
    await store.close();
    const env = { DATABASE_URL: main.url, TELEMETRY_URLS: `east=${east.url}` };
    const list = async () => {
      const { out } = await runInProcess(['admin', 'telemetry', 'partitions', '--json'], env);
      return JSON.parse(out).map(({ bytes, ...partition }: { bytes: number }) => ({
        ...partition,
        isSized: bytes > 0,
      }));
    };
    const listed = (partition: number, server: string) => ({ partition, server, moving_to: null, isSized: true });
    assert.deepEqual(await list(), [listed(0, 'main'), listed(1, 'main')]);
    const moved = await runInProcess(['admin', 'telemetry', 'move', '1', 'east'], env);
    assert.match(moved.out, /^Partition 1 is on east now: 0 chunks and 1 rows .+ waited for \d+ ms\.\n$/);
    assert.deepEqual(await list(), [listed(0, 'main'), listed(1, 'east')]);
    const again = await runInProcess(['admin', 'telemetry', 'move', '1', 'east'], env);
    assert.match(again.err, /Partition 1 is already on the server east\./);
    const unknown = await runInProcess(['admin', 'telemetry', 'partitions'], { DATABASE_URL: main.url });
    assert.match(unknown.err, /server east, which TELEMETRY_URLS does not name; add it\./);
  });
});

test('admin telemetry needs PostgreSQL and a number', async () => {
  const lite = await runInProcess(['admin', 'telemetry', 'partitions'], {});
  assert.match(lite.err, /^The data is in SQLite\./);
  const wrong = await runInProcess(['admin', 'telemetry', 'move', 'x', 'east'], {});
  assert.match(wrong.err, /"x" is not the number of a partition/);
});
