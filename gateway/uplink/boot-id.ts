import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Which start of the machine the monotonic time counts from; where nobody tells, this process stands for it. */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  } catch {
    return randomUUID();
  }
}
