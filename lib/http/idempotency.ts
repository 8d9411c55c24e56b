import { fieldProblem, Problem } from '#contract/problem.ts';
import { Answer } from './mount.ts';

const visible = /^[\x21-\x7e]{1,255}$/;

export function checkIdempotencyKey(key: string): void {
  if (visible.test(key)) return;
  throw fieldProblem('invalid_request', 'headers.idempotency-key', 'must be 1 to 255 visible ASCII characters');
}

export const keyReused = (): Problem =>
  new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request; use a new one.');

/** Returns the stored answer of an earlier request. */
export const replayed = (status: number, body: unknown): Answer<unknown> =>
  new Answer(status, body, { 'idempotency-replayed': 'true' });
