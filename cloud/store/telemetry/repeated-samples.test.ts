import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import type { Sample } from './telemetry-store.ts';

const noon = Date.UTC(2026, 4, 4, 12);

for (const { engine, skip } of engines) {
  test(`append on ${engine} returns the samples of a batch that were already stored`, { skip }, async () => {
    const cloud = await openCloud({ engine });
    try {
      const { append } = cloud.telemetry;
      let lastReceived = noon * 1000;
      const sampleAt = (second: number): Sample => ({
        der: 1,
        at: noon + second * 1000,
        received: ++lastReceived,
        body: '{"W":1}',
      });
      const batch = (from: number, count: number) => Array.from({ length: count }, (_, n) => sampleAt(from + n));
      assert.deepEqual(await append(batch(0, 120)), []);
      const next = batch(100, 75);
      const twice = sampleAt(174);
      const repeated = [...next.slice(0, 20), twice].map(({ received }) => received);
      const [told, elsewhere] = await Promise.all([append([...next, twice]), append(batch(200, 3))]);
      assert.deepEqual(
        told.toSorted((one, other) => one - other),
        repeated,
      );
      assert.ok(elsewhere.every((received) => repeated.includes(received)));
    } finally {
      await cloud.close();
    }
  });
}
