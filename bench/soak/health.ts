import { createClient } from '#contract/client.ts';
import { getMetrics } from '#contract/operations.ts';
import type { OwnServer } from '../measure/server-process.ts';

export type Health = {
  minute: number;
  /** after a collection: objects of all threads */
  usedMb: number;
  /** after a collection: retained memory */
  heldMb: number;
  /** after a collection, without mapped files, which the system may drop */
  ownMb: number;
  residentMb: number;
  heapMb: number;
  openFiles: number;
  loopP99Ms: number;
};

/** Reads the metrics of the platform. */
export async function healthOf({ url, usageAfterCollection }: OwnServer, minute: number): Promise<Health> {
  const { usedMb, heldMb, ownMb } = await usageAfterCollection();
  const text = await createClient({ baseUrl: url }).call(getMetrics);
  const figure = (name: string): number => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`The platform does not tell ${name}.`);
    return Number(found);
  };
  return {
    minute,
    usedMb,
    heldMb,
    ownMb,
    residentMb: figure('process_resident_memory_bytes') / 1e6,
    heapMb: figure('nodejs_heap_size_used_bytes') / 1e6,
    openFiles: figure('process_open_fds'),
    loopP99Ms: figure('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}
