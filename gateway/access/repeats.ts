import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { checkIdempotencyKey, keyReused, replayed } from '#lib/http/idempotency.ts';
import { RecentMap } from '#lib/recent-map.ts';

type Known = { request: string; answer: Promise<unknown>; until: number };

const keptMs = dayMs;
const mostKept = 100;

/** The retry of a request that was answered is answered alike, for 24 hours or until the gateway starts anew. */
export function createRepeats(clock: Clock) {
  const known = new RecentMap<Known>(mostKept);

  return async (key: string, request: string, status: number, act: () => unknown): Promise<unknown> => {
    checkIdempotencyKey(key);
    const before = known.get(key);
    if (before && before.until > clock.now()) {
      if (before.request !== request) throw keyReused();
      return replayed(status, await before.answer);
    }
    const made = { request, answer: (async () => act())(), until: clock.now() + keptMs };
    known.set(key, made);
    try {
      return await made.answer;
    } catch (error) {
      if (known.get(key) === made) known.delete(key); // what was refused leaves its key free
      throw error;
    }
  };
}
