import { readFileSync } from 'node:fs';

/** Time that the main thread of a process was ready to run while others ran: a limit is for the program, not for the machine. */
export function waitedForProcessorMs(pid: number): number {
  if (process.platform !== 'linux') return 0; // not available
  const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}

/** A clock that stands still while other processes have the processor. */
export const ownTimeMs = (): number => performance.now() - waitedForProcessorMs(process.pid);
