import { constants, monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { createHistogram } from './histogram.ts';
import { gauge, type Metric } from './registry.ts';

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
