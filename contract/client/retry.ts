import { Problem } from '../problem.ts';
import type { Route } from '../route.ts';
import type { OutgoingRequest } from './request.ts';

const firstMs = 300;
const defaultMaxWaitMs = 60_000;

export type WaitOption = {
  /** longest Retry-After to wait for; one minute by default */
  longestWaitMs?: number | undefined;
};

/** Tells whether an error is temporary: no response, too many requests, or an unavailable server. */
export const isTransient = (error: unknown): error is Problem =>
  error instanceof Problem && [429, 502, 503].includes(error.status);

/** Tells whether a request may be sent twice without a second effect. */
export const isRepeatable = ({ method, readOnly, creates }: Route, { idempotencyKey }: OutgoingRequest): boolean =>
  method !== 'POST' || readOnly === true || (creates === true && idempotencyKey !== undefined);

/** Adds an idempotency key where that makes the request repeatable. */
export function withIdempotencyKey({ creates }: Route, request: OutgoingRequest): OutgoingRequest {
  return creates && request.idempotencyKey === undefined ? { ...request, idempotencyKey: newKey() } : request;
}

// crypto.randomUUID is not available on plain http pages.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Retries temporary errors with exponential backoff and jitter. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, longestWaitMs = defaultMaxWaitMs }: WaitOption & { retries: number },
  signal?: AbortSignal,
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= retries || signal?.aborted || !isTransient(error)) throw error;
      const askedMs = (error.details.retryAfterSeconds ?? 0) * 1000;
      if (askedMs > longestWaitMs) throw error;
      await sleep(Math.max(askedMs, firstMs * 2 ** tried) * (1 + Math.random() / 2), signal);
    }
  }
}

/** Waits; an abort rejects with its reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const timer: { id?: ReturnType<typeof setTimeout> } = {};
  const waited = new Promise<void>((resolve) => {
    timer.id = setTimeout(resolve, ms);
  });
  return unlessAborted(waited, signal).finally(() => clearTimeout(timer.id));
}

/** Waits for a shared promise; an abort only ends the wait of this caller. */
export function unlessAborted<Result>(promise: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
