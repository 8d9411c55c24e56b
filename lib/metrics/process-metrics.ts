import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { counter, createHistogram, gauge, type Metric } from './registry.ts';

const self = '/proc/self';

/** Returns the resources of this process, with the metric names that all Prometheus clients use. */
export const processMetrics = (): Metric[] => [
  counter('process_cpu_user_seconds_total', 'User CPU time', () => cpuSeconds('user')),
  counter('process_cpu_system_seconds_total', 'System CPU time', () => cpuSeconds('system')),
  counter('process_cpu_seconds_total', 'User and system CPU time', () => cpuSeconds('user', 'system')),
  gauge('process_start_time_seconds', 'Start time of the process in seconds since 1970', () =>
    Math.round(performance.timeOrigin / 1000),
  ),
  readable('process_resident_memory_bytes', 'Resident memory size', () => process.memoryUsage.rss()),
  ...(existsSync(self) ? linuxMetrics() : []),
];

const cpuSeconds = (...kinds: ('user' | 'system')[]): number => {
  const used = process.cpuUsage();
  return kinds.reduce((sum, kind) => sum + used[kind], 0) / 1e6;
};

const linuxMetrics = (): Metric[] => [
  readable('process_virtual_memory_bytes', 'Virtual memory size', () => statusBytes('VmSize')),
  readable('process_heap_bytes', 'Size of the data segment', () => statusBytes('VmData')),
  readable('process_open_fds', 'Open file descriptors', () => readdirSync(`${self}/fd`).length - 1), // without the one that lists them
  readable('process_max_fds', 'Maximum number of open file descriptors', () =>
    Number(/^Max open files +(\d+)/m.exec(readOwn('limits'))?.[1]),
  ),
];

/** Creates a gauge that is NaN if it cannot be read: a process that can open no more files still reports the others. */
const readable = (name: string, help: string, read: () => number): Metric =>
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

/** Returns the metrics of Node.js, with the names that its dashboards use. */
export const nodeMetrics = (): Metric[] => [
  ...lagMetrics(),
  ...heapMetrics(),
  garbageCollections(),
  gauge('nodejs_active_resources', 'Resources that keep the event loop alive, by type', () =>
    Array.from(
      Map.groupBy(process.getActiveResourcesInfo(), (type) => type),
      ([type, all]) => ({
        labels: { type },
        value: all.length,
      }),
    ),
  ),
  gauge('nodejs_version_info', 'Version of Node.js', () => [{ labels: { version: process.version }, value: 1 }]),
];

const lagResolutionMs = 10;

/** Measures between two scrapes. Even an idle event loop shows a lag of the resolution. */
function lagMetrics(): Metric[] {
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  const lag = (what: string, help: string, nanoseconds: () => number): Metric =>
    gauge(`nodejs_eventloop_lag_${what}_seconds`, help, () => (delays.count === 0 ? Number.NaN : nanoseconds() / 1e9));
  return [
    lag('min', 'Shortest delay of the event loop since the last scrape', () => delays.min),
    lag('max', 'Longest delay of the event loop', () => delays.max),
    lag('mean', 'Mean delay of the event loop', () => delays.mean),
    lag('stddev', 'Standard deviation of the delay', () => delays.stddev),
    lag('p50', 'Median delay of the event loop', () => delays.percentile(50)),
    lag('p90', '90th percentile of the delay', () => delays.percentile(90)),
    lag('p99', '99th percentile of the delay', () => {
      const last = delays.percentile(99);
      delays.reset(); // a scrape reads this metric last
      return last;
    }),
  ];
}

function heapMetrics(): Metric[] {
  const used = (name: string, help: string, what: 'total_heap_size' | 'used_heap_size' | 'external_memory'): Metric =>
    gauge(name, help, () => getHeapStatistics()[what]);
  const space = (what: 'size' | 'used_size' | 'available_size', name: string): Metric =>
    gauge(`nodejs_heap_space_size_${name}_bytes`, `Bytes of the heap that are ${name}, by heap space`, () =>
      getHeapSpaceStatistics().map((statistics) => ({
        labels: { space: statistics.space_name.replace(/_space$/, '') },
        value: statistics[`space_${what}`],
      })),
    );
  return [
    used('nodejs_heap_size_total_bytes', 'Size of the heap', 'total_heap_size'),
    used('nodejs_heap_size_used_bytes', 'Bytes of the heap in use', 'used_heap_size'),
    used('nodejs_external_memory_bytes', 'Memory of objects outside the heap', 'external_memory'),
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

function garbageCollections(): Metric {
  const durations = createHistogram(
    'nodejs_gc_duration_seconds',
    'Duration of garbage collections by kind',
    [0.001, 0.01, 0.1, 1, 2, 5],
  );
  const byKind = new Map(Object.entries(kinds).map(([kind, number]) => [number, durations.series({ kind })]));
  const observer = new PerformanceObserver((seen) => {
    for (const { detail, duration } of seen.getEntries() as Collection[]) {
      byKind.get(detail.kind)?.observe(duration / 1000);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return durations.metric;
}
