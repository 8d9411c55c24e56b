import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { createMeter } from '#sim/fleet/meter.ts';
import { appendAll, derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';

const hours = 3; // so many that the summaries that are kept reach their bound

// The hour in which the platform warms up has as many readings; none that is sealed while it is measured has more.
const dense = { minutes: 5, everyMs: 1000 };
const usual = { everyMs: 10_000 };

const paceAt = (at: number): number => (at % hourMs < dense.minutes * minuteMs ? dense : usual).everyMs;

/**
 * Hours of every DER that are long over and not sealed yet, as after a stop: their sealing within a minute of the start takes the memory
 * that every later one works in, and questions about them what the summaries of sealed hours take.
 */
export async function leaveUnsealedHours(dataDir: string): Promise<void> {
  const ders = await derNumbers(dataDir);
  const telemetry = await openFolderTelemetry(dataDir);
  const start = Math.floor(Date.now() / hourMs) * hourMs - (1 + hours) * hourMs;
  await appendAll(telemetry, samplesOf(ders, start));
  await telemetry.close();
}

function* samplesOf(ders: readonly number[], start: number): Generator<Sample> {
  const meters = ders.map((_, index) => createMeter(index));
  let received = start * 1000;
  for (let at = start; at < start + hours * hourMs; at += paceAt(at)) {
    received = Math.max(received, at * 1000);
    for (const [index, meter] of meters.entries()) {
      yield { der: ders[index]!, at, received: received++, body: meter.read(at) };
    }
  }
}
