import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until it is so. */
export async function until<Value>(
  look: () => Promise<Value> | Value,
  isSo: (value: Value) => boolean,
  ms = 12_000,
): Promise<Value> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await look();
    if (isSo(value)) return value;
    assert.ok(performance.now() < end, `still ${JSON.stringify(value)}`);
    await sleep(50);
  }
}
