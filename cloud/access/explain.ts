import { Problem } from '#contract/problem.ts';
import type { Store } from '../store/store.ts';

/** Converts a temporary database error to a Problem with a retry time; other errors stay as they are. */
export function explain(error: unknown, { isUnavailable }: Pick<Store, 'isUnavailable'>): unknown {
  if (!isUnavailable(error)) return error;
  const sentence = 'The database is temporarily unavailable; try again shortly.';
  return new Problem('unavailable', sentence, { retryAfterSeconds: 2 }, { cause: error });
}
