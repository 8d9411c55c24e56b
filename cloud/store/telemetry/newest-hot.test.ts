import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { openSqliteTelemetry } from './sqlite/open.ts';

const log = createLog({ level: 'silent', name: 'test' });
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const noon = Date.UTC(2026, 5, 1, 12);

test('the newest unsealed reading is found, however many minutes another DER has filled', async (t) => {
  const store = await openSqliteTelemetry({ dataDir: temporaryFolder(t), retention, log });
  t.after(() => store.close());
  const flooder = 1;
  const quiet = Array.from({ length: 60 }, (_, i) => 100 + i);
  const silent = [7, 8];
  let received = noon * 1000;
  const sample = (der: number, at: number) => ({ der, at, received: ++received, body: JSON.stringify({ W: der }) });
  await store.append([
    ...Array.from({ length: 2000 }, (_, minute) => sample(flooder, noon - dayMs + minute * minuteMs)),
    ...quiet.flatMap((der) => [sample(der, noon - 3 * dayMs), sample(der, noon - 2 * dayMs + der)]),
  ]);
  for (const ders of [quiet, quiet.slice(0, 2), [flooder, ...silent, quiet[0]!], silent]) {
    const latest = await store.latest(ders);
    const newest = (der: number) => (der === flooder ? noon - dayMs + 1999 * minuteMs : noon - 2 * dayMs + der);
    const expected = ders.filter((der) => !silent.includes(der)).map((der) => [der, newest(der)]);
    assert.deepEqual(
      [...latest.values()].map(({ der, at }) => [der, at]).sort((a, b) => a[0]! - b[0]!),
      expected.sort((a, b) => a[0]! - b[0]!),
    );
  }
});
