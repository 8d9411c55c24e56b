import { minuteMs } from '#contract/time.ts';
import { finishErasures, listErasures } from '../store/devices.ts';
import type { Store } from '../store/store.ts';
import type { TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import type { Latest } from './live.ts';

type ErasureDeps = { store: Store; telemetry: TelemetryStore; latest: Latest };

export const eraseEveryMs = minuteMs;

// A reading that was accepted just before the deletion may be stored after the first pass, and a sealing run may write a
// chunk that it had read. Each DER is erased again until neither is possible.
const graceMs = 10 * minuteMs;
const maxBatchSize = 100;

/** Erases the telemetry of deleted DERs. Unfinished erasures are repeated with the next call, even after a restart. */
export async function eraseDeleted({ store, telemetry, latest }: ErasureDeps, now: number): Promise<void> {
  for (let after = -1; ; ) {
    const batch = await listErasures(store.db, after, maxBatchSize);
    const numbers = batch.map(({ der_no }) => der_no);
    const last = numbers.at(-1);
    if (last === undefined) return;
    latest.forget(numbers);
    if (!(await telemetry.erase(numbers))) return;
    const isOver = ({ deleted_at }: { deleted_at: number }): boolean => Math.abs(now - deleted_at) >= graceMs;
    const finished = batch.filter(isOver).map(({ der_no }) => der_no);
    if (finished.length > 0) await store.write(({ db }) => finishErasures(db, finished));
    after = last;
  }
}
