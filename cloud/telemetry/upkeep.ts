import { minuteMs } from '#contract/time.ts';
import { finishErasures, listErasures } from '../store/devices.ts';
import type { Store } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { Latest } from './live.ts';

export type ErasureDeps = { store: Store; telemetry: TelemetryStore; latest: Latest };

/** How often the queue is worked off. */
export const eraseEveryMs = minuteMs;

// A reading that was accepted just before the deletion may be stored after the first pass, by any process; a sealing run
// may write a chunk of what it had read. Each DER is erased again until both are out of the question.
const graceMs = 10 * minuteMs;
const maxBatchSize = 100;

/** Erases the telemetry of deleted DERs; what was not finished is repeated at the next call, also after a restart. */
export async function eraseDeleted({ store, telemetry, latest }: ErasureDeps, now: number): Promise<void> {
  for (let after = -1; ; ) {
    const batch = await listErasures(store.db, after, maxBatchSize);
    if (batch.length === 0) return;
    const numbers = batch.map(({ der_no }) => der_no);
    latest.forget(numbers);
    if (!(await telemetry.erase(numbers))) return;
    const isOver = ({ deleted_at }: { deleted_at: number }): boolean => Math.abs(now - deleted_at) >= graceMs;
    const finished = batch.filter(isOver).map(({ der_no }) => der_no);
    if (finished.length > 0) await store.write(({ db }) => finishErasures(db, finished));
    after = numbers.at(-1)!;
  }
}
