import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ownTimeMs } from './waited-for-processor.ts';

/**
 * Measures time without the longest standstill of this process, or without all the time that others had the processor:
 * a limit is for the program, not for the machine.
 */
export function startStopwatch(): { ms(): number } {
  const standstill = monitorEventLoopDelay({ resolution: 5 });
  standstill.enable();
  const began = performance.now();
  const ownBegan = ownTimeMs();
  return {
    ms() {
      standstill.disable(); // it samples 200 times a second
      return Math.min(performance.now() - began - standstill.max / 1e6, ownTimeMs() - ownBegan);
    },
  };
}
