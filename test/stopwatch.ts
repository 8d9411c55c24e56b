import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The time since, less the longest moment in which this process stood still: a bound is for the program, not for the machine. */
export function startStopwatch(): { ms(): number } {
  const standstill = monitorEventLoopDelay({ resolution: 5 });
  standstill.enable();
  const began = performance.now();
  return { ms: () => performance.now() - began - standstill.max / 1e6 };
}
