import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStopwatch } from '#test/stopwatch.ts';
import { LinkError } from '../link-error.ts';
import { createModbusBuses } from './buses.ts';
import { hostileBehaviours } from './testing/hostile-behaviours.ts';
import { registersAt, startHostileServer } from './testing/hostile-server.ts';
import type { ModbusException, ModbusUnit } from './unit.ts';

const longestMs = 1250; // a second, and an allowance for a busy machine

/** Reads repeatedly and returns the duration of the longest read. */
async function watch(unit: ModbusUnit, signal: AbortSignal): Promise<number> {
  let slowestMs = 0;
  while (!signal.aborted) {
    const stopwatch = startStopwatch();
    assert.deepEqual(await unit.read('input', 40, 2), registersAt(40, 2));
    slowestMs = Math.max(slowestMs, stopwatch.ms());
    await sleep(10);
  }
  return slowestMs;
}

suite('a device that', { concurrency: 4 }, () => {
  for (const { says, outcome, behave, times } of hostileBehaviours) {
    const told = typeof outcome === 'string' ? outcome : `exception ${outcome.exception}`;
    test(`${says}: ${told}, and the next request works`, async () => {
      const hostile = await startHostileServer();
      const neighbour = await startHostileServer();
      const buses = createModbusBuses();
      const { unit } = buses.acquire({ host: '127.0.0.1', port: hostile.port }, 7);
      const done = new AbortController();
      const watching = watch(buses.acquire({ host: '127.0.0.1', port: neighbour.port }, 1).unit, done.signal);
      try {
        assert.deepEqual(await unit.read('holding', 20, 10), registersAt(20, 10));

        hostile.misbehave(behave, times);
        const stopwatch = startStopwatch();
        const result = await unit.read('holding', 100, 10).catch((error: unknown) => error);
        const tookMs = stopwatch.ms();
        if (outcome === 'value') assert.deepEqual(result, registersAt(100, 10));
        else if (outcome === 'link error') assert.ok(result instanceof LinkError, String(result));
        else assert.equal((result as ModbusException).code, outcome.exception);
        assert.ok(tookMs < longestMs, `it took ${tookMs} ms`);

        const quietAt = performance.now() + 300;
        for (let address = 300; performance.now() < quietAt; address++) {
          assert.deepEqual(await unit.read('holding', address, 10), registersAt(address, 10));
          await sleep(20);
        }
      } finally {
        done.abort();
        const slowestMs = await watching;
        await buses.close();
        await Promise.all([hostile.close(), neighbour.close()]);
        assert.ok(slowestMs < 600, `another bus had to wait ${slowestMs} ms`);
      }
    });
  }
});
