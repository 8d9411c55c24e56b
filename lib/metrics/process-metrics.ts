import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { counter, gauge, type Metric } from './registry.ts';

const self = '/proc/self';

/** What this process takes of its machine, under the names that every client of Prometheus has for it. */
export const processMetrics = (): Metric[] => [
  counter('process_cpu_user_seconds_total', 'processor time of the program itself', () => cpuSeconds('user')),
  counter('process_cpu_system_seconds_total', 'processor time of the system for it', () => cpuSeconds('system')),
  counter('process_cpu_seconds_total', 'processor time of both', () => cpuSeconds('user', 'system')),
  gauge('process_start_time_seconds', 'when it started, in seconds since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  ),
  told('process_resident_memory_bytes', 'memory that it occupies', () => process.memoryUsage.rss()),
  ...(existsSync(self) ? linuxMetrics() : []),
];

const cpuSeconds = (...kinds: ('user' | 'system')[]): number => {
  const used = process.cpuUsage();
  return kinds.reduce((sum, kind) => sum + used[kind], 0) / 1e6;
};

const linuxMetrics = (): Metric[] => [
  told('process_virtual_memory_bytes', 'memory that it has addresses for', () => statusBytes('VmSize')),
  told('process_heap_bytes', 'memory for its data', () => statusBytes('VmData')),
  told('process_open_fds', 'files and connections that are open', () => readdirSync(`${self}/fd`).length - 1), // less the one that lists them
  told('process_max_fds', 'how many may be', () => Number(/^Max open files +(\d+)/m.exec(readOwn('limits'))?.[1])),
];

/** Unknown where the system does not tell: who can open no file any more still has to hear of everything else. */
const told = (name: string, help: string, read: () => number): Metric =>
  gauge(name, help, () => {
    try {
      return read();
    } catch {
      return Number.NaN;
    }
  });

const readOwn = (name: string): string => readFileSync(`${self}/${name}`, 'utf8');

const statusBytes = (field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readOwn('status'))?.[1]) * 1024;
