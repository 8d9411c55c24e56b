import { signalEchoMs } from '#lib/lifecycle.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Returns a signal that aborts on the first SIGINT or SIGTERM. A second one ends the process as usual. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  function interrupt(): void {
    controller.abort();
    setTimeout(stopListening, signalEchoMs).unref();
  }
  function stopListening(): void {
    for (const signal of signals) process.off(signal, interrupt);
  }
  for (const signal of signals) process.on(signal, interrupt);
  return controller.signal;
}

/** Returns a signal that also aborts after `ms`, if given. */
export function withTimeout(interrupted: AbortSignal, ms: number | undefined): AbortSignal {
  if (ms === undefined) return interrupted;
  return AbortSignal.any([interrupted, AbortSignal.timeout(Math.ceil(ms))]); // 2.3 s is 2299.9999999999995 ms in floating point
}
