/** Waits; an abort ends it at once, with its reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const timer: { id?: ReturnType<typeof setTimeout> } = {};
  const waited = new Promise<void>((resolve) => {
    timer.id = setTimeout(resolve, ms);
  });
  return unlessAborted(waited, signal).finally(() => clearTimeout(timer.id));
}

/** The result of something that goes on for others, unless this caller wants it no more. */
export function unlessAborted<Result>(promise: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
