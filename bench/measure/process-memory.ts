import { readFileSync } from 'node:fs';

/** What Linux tells of the memory of a process: all that is resident, and of it what is not a mapped file. */
export function memoryOf(pid: number): { memoryMb: number; ownMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1000;
  return { memoryMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon') };
}
