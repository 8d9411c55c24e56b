import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { Sample } from './telemetry-store.ts';
import { bucketsOf, rawOf } from './testing/answers.ts';
import { telemetryEngines } from './testing/engines.ts';

const noon = Date.UTC(2026, 4, 4, 12);
const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const der = 1;

let lastReceived = 0;
const sampleAt = (second: number, W: number): Sample => ({
  der,
  at: noon + second * 1000,
  received: Math.max(noon * 1000, lastReceived++ + noon * 1000),
  body: JSON.stringify({ W }),
});
const batch = (from: number, count: number, W: number) =>
  Array.from({ length: count }, (_, n) => sampleAt(from + n, W));

for (const { engine, skip, open } of telemetryEngines) {
  test(`a repeated sample counts once in ${engine}, before and after it is sealed`, { skip }, async (t) => {
    const { store } = await open(t, retention);
    const edges = [0, 1, 2, 3].map((minute) => noon + minute * minuteMs);
    const check = async (says: string) => {
      const readings = await rawOf(store, der, noon, noon + hourMs);
      assert.deepEqual([readings.length, ...new Set(readings.map(({ values }) => values.W))], [180, 1], says);
      const buckets = await bucketsOf(store, der, edges);
      assert.deepEqual([buckets.length, ...new Set(buckets.map(({ fields }) => fields.W?.mean))], [3, 1], says);
      assert.equal((await store.latest([der])).get(der)?.body, '{"W":1}', says);
    };
    const repeat = () => store.append([...batch(0, 180, 2), sampleAt(100, 3)]);
    await store.append(batch(0, 120, 1));
    const [repeated] = await Promise.all([store.append([...batch(100, 80, 1), sampleAt(179, 3)]), store.append([])]);
    const known = [...repeated].length;
    assert.equal(known, engine === 'SQLite' ? 21 : 0, 'only SQLite looks for repeats');
    await check('just arrived');
    await store.seal(noon + 6 * minuteMs); // sorts them
    await repeat();
    await check('in part sorted');
    await store.seal(noon + 12 * minuteMs);
    await check('sorted');
    assert.equal((await store.seal(noon + 3 * hourMs)).readings, 180);
    await check('sealed');
    await repeat();
    await check('repeated after sealing');
    await store.seal(noon + 4 * hourMs);
    await check('sealed again');
    await repeat();
    await store.seal(noon + 40 * hourMs);
    await check('sealed as a day');
  });
}
