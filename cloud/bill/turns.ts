import { Problem } from '#contract/problem.ts';

/** Runs the calculations of an identity one after the other; refuses more than `maxWaiting`. */
export function createTurns(maxWaiting: number, refusal: string) {
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async <Result>(identityId: string, work: () => Promise<Result>): Promise<Result> => {
    const own = turns.get(identityId) ?? { last: Promise.resolve(), waiting: 0 };
    if (own.waiting >= maxWaiting) throw new Problem('rate_limited', refusal, { retryAfterSeconds: 1 });
    turns.set(identityId, own);
    own.waiting++;
    const result = own.last.then(work);
    own.last = result.catch(() => {});
    try {
      return await result;
    } finally {
      own.waiting--;
      if (own.waiting === 0) turns.delete(identityId);
    }
  };
}
