import { readFileSync } from 'node:fs';
import { memoryOf } from '../measure/process-memory.ts';
import type { Usage } from '../measure/server-process.ts';

const tickUs = 10_000; // Linux counts in hundredths of a second

/** Returns the resource use of a program on Linux; its first thread counts as the event loop. */
export const usageOf = (pid: number): Usage => ({
  cpuUs: cpuUs(`/proc/${pid}/stat`),
  loopUs: cpuUs(`/proc/${pid}/task/${pid}/stat`),
  ...memoryOf(pid),
});

function cpuUs(file: string): number {
  const stat = readFileSync(file, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // the name before it may hold spaces
  const [user, system] = fields.slice(11, 13).map(Number);
  return (user! + system!) * tickUs;
}
