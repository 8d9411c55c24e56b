import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Monotonic } from './trusted-time.ts';

export const systemMonotonic: Monotonic = { now: () => Number(process.hrtime.bigint() / 1000n) / 1000 };

/** Which start of the machine the monotonic time counts from; where nobody tells, this process stands for it. */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return randomUUID();
  }
}
