import { readFileSync } from 'node:fs';

/** How long the main thread of a process could have run while others did: a bound is for the program, not for the machine. */
export function waitedForProcessorMs(pid: number): number {
  if (process.platform !== 'linux') return 0; // it is not told
  const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}

/** The time on a clock that stands still for this process while others have the processor. */
export const ownTimeMs = (): number => performance.now() - waitedForProcessorMs(process.pid);
