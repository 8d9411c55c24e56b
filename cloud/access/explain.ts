import { Problem } from '#contract/problem.ts';
import type { Store } from '../store/store.ts';

/** What the caller is told of a fault: one of the database that passes is worth another try, any other stays as it is. */
export function explain(error: unknown, { isUnavailable }: Pick<Store, 'isUnavailable'>): unknown {
  if (!isUnavailable(error)) return error;
  const sentence = 'The database cannot be reached just now; try again shortly.';
  return new Problem('unavailable', sentence, { retryAfterSeconds: 2 }, { cause: error });
}
