import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createMeter } from '#sim/fleet/meter.ts';
import { appendAll, derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';

const hours = 3; // so many that the summaries that are kept reach their bound

// The hour in which the platform warms up has as many readings; none that is sealed while it is measured has more.
const dense = { minutes: 5, everyMs: 1000 };
const usual = { everyMs: 10_000 };

const paceAt = (at: number): number => (at % hourMs < dense.minutes * minuteMs ? dense : usual).everyMs;

/**
 * Hours of every DER that are long over and not sealed yet, as after a stop: their sealing, and that of the day before, within a minute
 * of the start takes the memory that every later one works in, and questions about them what the summaries of sealed hours take.
 */
export async function leaveUnsealedHours(dataDir: string): Promise<void> {
  const ders = await derNumbers(dataDir);
  const telemetry = await openFolderTelemetry(dataDir);
  await appendAll(telemetry, samplesOf(ders, unsealedHours(Date.now())));
  await telemetry.close();
}

/** The beginnings of the last hours, and of the last ones of the day before. */
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
