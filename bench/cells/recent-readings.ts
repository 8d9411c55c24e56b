import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { createMeter } from '#sim/fleet/gateway.ts';
import { appendAll, derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';

/** Adds one reading of every DER of a data folder, measured now. */
export async function recentReadings(dataDir: string): Promise<void> {
  const ders = await derNumbers(dataDir);
  const telemetry = await openFolderTelemetry(dataDir);
  await appendAll(telemetry, samples(ders));
  await telemetry.close();
}

function* samples(ders: readonly number[]): Generator<Sample> {
  const meter = createMeter(1);
  const now = Date.now();
  for (const [index, der] of ders.entries()) {
    yield { der, at: now, received: now * 1000 + index, body: meter.read(now) };
  }
}
