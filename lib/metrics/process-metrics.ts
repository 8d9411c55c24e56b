import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { counter, createHistogram, gauge, type Metric } from './registry.ts';

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

/** How Node.js fares in this process, under the names that dashboards for it know. */
export const nodeMetrics = (): Metric[] => [
  ...lagMetrics(),
  ...heapMetrics(),
  collections(),
  gauge('nodejs_active_resources', 'what keeps the event loop alive, by its type', () =>
    Object.entries(Object.groupBy(process.getActiveResourcesInfo(), (type) => type)).map(([type, all]) => ({
      labels: { type },
      value: all!.length,
    })),
  ),
  gauge('nodejs_version_info', 'the version of Node.js', () => [{ labels: { version: process.version }, value: 1 }]),
];

const lagResolutionMs = 10;

/** Between two readings. A loop that never waits still shows the resolution. */
function lagMetrics(): Metric[] {
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  const lag = (what: string, help: string, nanoseconds: () => number): Metric =>
    gauge(`nodejs_eventloop_lag_${what}_seconds`, help, () => (delays.count === 0 ? Number.NaN : nanoseconds() / 1e9));
  return [
    lag('min', 'shortest delay of the event loop since the last reading', () => delays.min),
    lag('max', 'longest delay of the event loop', () => delays.max),
    lag('mean', 'mean delay of the event loop', () => delays.mean),
    lag('stddev', 'standard deviation of its delays', () => delays.stddev),
    lag('p50', 'delay that half of them do not exceed', () => delays.percentile(50)),
    lag('p90', 'delay that 90 of 100 do not exceed', () => delays.percentile(90)),
    lag('p99', 'delay that 99 of 100 do not exceed', () => {
      const last = delays.percentile(99);
      delays.reset(); // it is the last of them that a reading asks for
      return last;
    }),
  ];
}

function heapMetrics(): Metric[] {
  const used = (name: string, help: string, what: 'total_heap_size' | 'used_heap_size' | 'external_memory'): Metric =>
    gauge(name, help, () => getHeapStatistics()[what]);
  const space = (what: 'size' | 'used_size' | 'available_size', name: string): Metric =>
    gauge(`nodejs_heap_space_size_${name}_bytes`, `bytes of the heap that are ${name}, by its spaces`, () =>
      getHeapSpaceStatistics().map((statistics) => ({
        labels: { space: statistics.space_name.replace(/_space$/, '') },
        value: statistics[`space_${what}`],
      })),
    );
  return [
    used('nodejs_heap_size_total_bytes', 'size of the heap', 'total_heap_size'),
    used('nodejs_heap_size_used_bytes', 'bytes of the heap that are in use', 'used_heap_size'),
    used('nodejs_external_memory_bytes', 'memory of objects outside the heap', 'external_memory'),
    space('size', 'total'),
    space('used_size', 'used'),
    space('available_size', 'available'),
  ];
}

const kinds = {
  major: constants.NODE_PERFORMANCE_GC_MAJOR,
  minor: constants.NODE_PERFORMANCE_GC_MINOR,
  incremental: constants.NODE_PERFORMANCE_GC_INCREMENTAL,
  weakcb: constants.NODE_PERFORMANCE_GC_WEAKCB,
};

type Collection = PerformanceEntry & { detail: { kind: number } };

function collections(): Metric {
  const took = createHistogram(
    'nodejs_gc_duration_seconds',
    'time that collecting garbage took, by its kind',
    [0.001, 0.01, 0.1, 1, 2, 5],
  );
  const byKind = new Map(Object.entries(kinds).map(([kind, number]) => [number, took.series({ kind })]));
  const observer = new PerformanceObserver((seen) => {
    for (const { detail, duration } of seen.getEntries() as Collection[]) {
      byKind.get(detail.kind)?.observe(duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return took.metric;
}
