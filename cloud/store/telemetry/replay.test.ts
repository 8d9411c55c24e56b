import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import type { Sample } from './telemetry-store.ts';

const noon = Date.UTC(2026, 4, 4, 12);

const limits = [
  { limit: 'samples', count: 100_000, padding: 0 },
  { limit: 'bytes', count: 31, padding: 2 ** 20 },
];

for (const { engine, skip } of engines) {
  for (const { limit, count, padding } of limits) {
    test(`a replay is complete up to its limit of ${limit} and refused beyond it, on ${engine}`, { skip }, async () => {
      const cloud = await openCloud({ engine });
      try {
        const { append, receivedAfter: arrivedAfter } = cloud.telemetry;
        const body = JSON.stringify({ W: 1, note: 'x'.repeat(padding) });
        const sampleOf = (n: number): Sample => ({ der: 1, at: noon + n, received: (noon + n) * 1000, body });
        const seen = sampleOf(0);
        await append(Array.from({ length: count + 1 }, (_, n) => sampleOf(n)));
        assert.equal((await arrivedAfter([1], seen.received))?.length, count);
        await append([sampleOf(count + 1)]);
        assert.equal(await arrivedAfter([1], seen.received), undefined);
      } finally {
        await cloud.close();
      }
    });
  }
}
