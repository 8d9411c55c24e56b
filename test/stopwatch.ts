import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ownTimeMs } from './waited-for-processor.ts';

/**
 * The time until it is read, less the longest moment in which this process stood still, or all the time that others had the processor:
 * a bound is for the program, not for the machine.
 */
export function startStopwatch(): { ms(): number } {
  const standstill = monitorEventLoopDelay({ resolution: 5 });
  standstill.enable();
  const began = performance.now();
  const ownBegan = ownTimeMs();
  return {
    ms() {
      standstill.disable(); // it looks 200 times a second
      return Math.min(performance.now() - began - standstill.max / 1e6, ownTimeMs() - ownBegan);
    },
  };
}
