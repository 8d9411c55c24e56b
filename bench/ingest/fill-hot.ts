import type { Sample } from '#cloud/store/telemetry/telemetry-store.ts';
import { createMeter } from '#sim/fleet/gateway.ts';
import { appendAll, derNumbers, openFolderTelemetry } from '../fleet/data-folder.ts';

const spanMs = 40 * 60_000;

/** Adds readings of the last minutes for all DERs, which are not sealed yet. */
export async function fillHot(dataDir: string, count: number): Promise<void> {
  const ders = await derNumbers(dataDir);
  const telemetry = await openFolderTelemetry(dataDir);
  await appendAll(telemetry, samples(ders, count));
  await telemetry.close();
}

function* samples(ders: readonly number[], count: number): Generator<Sample> {
  const meter = createMeter(1);
  const began = Date.now() - spanMs;
  for (let made = 0; made < count; made++) {
    const at = began + Math.floor((made * spanMs) / count);
    yield { der: ders[made % ders.length]!, at, received: at * 1000, body: meter.read(at) };
  }
}
