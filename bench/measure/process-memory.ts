import { readFileSync } from 'node:fs';

/** The memory of a process on Linux: resident, and resident without mapped files. */
export function memoryOf(pid: number): { memoryMb: number; ownMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / 1000;
  return { memoryMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon') };
}
