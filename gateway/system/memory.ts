import { freemem, totalmem } from 'node:os';
import type { System } from '#contract/gateway/system.ts';

const sampleMs = 10_000;

const kb = (bytes: number): number => Math.floor(bytes / 1024);

/** Returns the memory that can still be allocated, within the limits of this process. */
export const freeMemoryKb = (): number => kb(Math.min(freemem(), process.availableMemory()));

export type Memory = ReturnType<typeof watchMemory>;

/** Samples the free memory to record its minimum. */
export function watchMemory() {
  let min = freeMemoryKb();
  const look = (): number => {
    const free = freeMemoryKb();
    min = Math.min(min, free);
    return free;
  };
  const timer = setInterval(look, sampleMs).unref();

  return {
    read(): System['memory_kb'] {
      const free = look();
      const total = kb(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY));
      const used = total - free;
      const percent_used = Math.round((used / total) * 1000) / 10;
      return { total, free, used, percent_used, min, largest: free };
    },
    close: () => clearInterval(timer),
  };
}
