import { setTimeout as sleep } from 'node:timers/promises';
import { waitedForProcessorMs } from './waited-for-processor.ts';

/** Looks again and again until what it sees is right; for so long, without the time that others had the processor. */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  isRight: (value: Value) => boolean = Boolean,
  ms = 20_000,
): Promise<Value> {
  const spentMs = (): number => performance.now() - waitedForProcessorMs(process.pid);
  const end = spentMs() + ms;
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    if (spentMs() > end) throw new Error(`After ${ms} ms ${look.toString()} is still ${JSON.stringify(value)}.`);
    await sleep(10);
  }
}
