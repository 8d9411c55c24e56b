/** Aborts at the first SIGINT or SIGTERM; the second one ends the process as usual. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
