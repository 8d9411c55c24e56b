import { setTimeout as sleep } from 'node:timers/promises';

type RetryOptions = {
  /** number of calls, including the first */
  attempts: number;
  minDelayMs: number;
  maxDelayMs: number;
  shouldRetry: (error: unknown) => boolean;
  signal?: AbortSignal;
};

/** Calls `fn` until it succeeds. Waits a random part of a doubling delay in between, so that many callers spread out. */
export async function retry<Result>(fn: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { attempts, minDelayMs, maxDelayMs, shouldRetry, signal } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await fn();
    } catch (error) {
      if (attempt >= attempts || !shouldRetry(error)) throw error;
    }
    const ceilingMs = Math.min(maxDelayMs, minDelayMs * 2 ** (attempt - 1));
    await sleep(Math.random() * ceilingMs, undefined, signal ? { signal } : {});
  }
}
