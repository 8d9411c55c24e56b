import { signalEchoMs } from '#lib/lifecycle.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Aborts at the first SIGINT or SIGTERM; the second one ends the process as usual. */
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

/** Aborts with the given one, and by itself after so long, when that is said. */
export function orAfter(interrupted: AbortSignal, ms: number | undefined): AbortSignal {
  if (ms === undefined) return interrupted;
  return AbortSignal.any([interrupted, AbortSignal.timeout(Math.ceil(ms))]); // of 2.3 seconds there are 2299.9999999999995
}
