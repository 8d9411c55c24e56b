import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createMeter } from '#sim/fleet/gateway.ts';
import { appendAll, derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';

const hours = 3; // enough that the cached summaries reach their limit

// The hour of the warm-up has as many readings; none that is sealed during the measurement has more.
const dense = { minutes: 5, everyMs: 1000 };
const usual = { everyMs: 10_000 };

const paceAt = (at: number): number => (at % hourMs < dense.minutes * minuteMs ? dense : usual).everyMs;

/**
 * Adds past hours of every DER that are not sealed yet, as after a downtime: sealing them and the day before within a minute of the
 * start allocates the memory that later sealing reuses, and queries about them fill the cache of summaries.
 */
export async function leaveUnsealedHours(dataDir: string): Promise<void> {
  const ders = await derNumbers(dataDir);
  const telemetry = await openFolderTelemetry(dataDir);
  await appendAll(telemetry, samplesOf(ders, unsealedHours(Date.now())));
  await telemetry.close();
}

/** Returns the starts of the last hours, and of the last hours of the day before. */
function unsealedHours(now: number): number[] {
  const ends = [Math.floor(now / dayMs) * dayMs, Math.floor(now / hourMs - 1) * hourMs];
  const starts = ends.flatMap((end) => Array.from({ length: hours }, (_, before) => end - (1 + before) * hourMs));
  return [...new Set(starts)].toSorted((one, other) => one - other);
}

function* samplesOf(ders: readonly number[], starts: readonly number[]): Generator<Sample> {
  const meters = ders.map((_, index) => createMeter(index));
  let received = 0;
  for (const start of starts) {
    for (let at = start; at < start + hourMs; at += paceAt(at)) {
      received = Math.max(received, at * 1000);
      for (const [index, meter] of meters.entries()) {
        yield { der: ders[index]!, at, received: received++, body: meter.read(at) };
      }
    }
  }
}
