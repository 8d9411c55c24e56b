import { Problem } from '../problem.ts';
import type { Route } from '../route.ts';
import type { OutgoingRequest } from './request.ts';

const firstMs = 300;
const defaultMaxWaitMs = 60_000;

export type WaitOption = {
  /** a server that asks for a longer wait before the next try is not waited for; a minute when left out */
  longestWaitMs?: number | undefined;
};

/** No answer, too many requests, or a server that cannot just now: it may be over in a moment. */
export const isTransient = (error: unknown): error is Problem =>
  error instanceof Problem && [429, 502, 503].includes(error.status);

/** Sent twice it does what it does once. */
export const isRepeatable = ({ method, readOnly, creates }: Route, { idempotencyKey }: OutgoingRequest): boolean =>
  method !== 'POST' || readOnly === true || (creates === true && idempotencyKey !== undefined);

/** The request with a key, where a key makes it repeatable. */
export function withIdempotencyKey({ creates }: Route, request: OutgoingRequest): OutgoingRequest {
  return creates && request.idempotencyKey === undefined ? { ...request, idempotencyKey: newKey() } : request;
}

// crypto.randomUUID is not there on pages of plain http.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Tries until it works, so many times more; waits a doubling time in between, of which a part is chance. */
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

/** Waits; an abort ends it at once, with its reason. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
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
