import { setTimeout as sleep } from 'node:timers/promises';
import { ownTimeMs } from './waited-for-processor.ts';

const [shortestMs, longestMs] = [10, 200];

/**
 * Polls until the value is right, for a limited time without the time that others had the processor. The longer it waits, the
 * less often it polls, because the polled program needs the processor too.
 */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  isRight: (value: Value) => boolean = Boolean,
  ms = 20_000,
): Promise<Value> {
  const began = ownTimeMs();
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    const waitedMs = ownTimeMs() - began;
    if (waitedMs > ms) throw new Error(`After ${ms} ms ${look.toString()} is still ${JSON.stringify(value)}.`);
    await sleep(Math.min(Math.max(shortestMs, waitedMs / 10), longestMs));
  }
}
