import { openStore } from '#cloud/store/store.ts';
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import type { Sample, TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 365 * dayMs, hoursMs: Number.POSITIVE_INFINITY };
const log = createLog({ level: 'warn', name: 'bench' });

export const openFolderTelemetry = (dataDir: string): Promise<TelemetryStore> =>
  openTelemetry({ dataDir, retention, log });

/** Returns the numbers of all DERs of a data folder, in the order of their ids. */
export async function derNumbers(dataDir: string): Promise<number[]> {
  const store = await openStore({ dataDir, log });
  const ders = await store.db.selectFrom('ders').select('no').orderBy('id').execute();
  await store.close();
  return ders.map(({ no }) => no);
}

const together = 5000;

/** Appends in batches, and prepares the next while one is written. */
export async function appendAll(telemetry: TelemetryStore, samples: Iterable<Sample>): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  let batch: Sample[] = [];
  const send = async (): Promise<void> => {
    const full = batch;
    batch = [];
    await writing;
    writing = telemetry.append(full);
  };
  for (const sample of samples) if (batch.push(sample) === together) await send();
  await send();
  await writing;
}
