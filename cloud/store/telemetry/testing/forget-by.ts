import { hourMs } from '#contract/time.ts';
import type { TelemetryStore } from '../telemetry-store.ts';

const reporter = 1_000_000; // a DER of no test

/** Advances to an instant: a DER still reports, and everything beyond its retention is deleted. */
export async function forgetBy(store: TelemetryStore, now: number): Promise<void> {
  const at = now - 3 * hourMs;
  await store.append([{ der: reporter, at, received: at * 1000, body: '{"W":1}' }]);
  await store.seal(now);
  for (let known = Number.NaN; store.oldestKept() !== known; ) {
    known = store.oldestKept();
    await store.forget(now);
  }
}
