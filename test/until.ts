import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until what it sees is right. */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  isRight: (value: Value) => boolean = Boolean,
  ms = 20_000,
): Promise<Value> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    if (performance.now() > end)
      throw new Error(`After ${ms} ms ${look.toString()} is still ${JSON.stringify(value)}.`);
    await sleep(10);
  }
}
