import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import { retry } from '#lib/retry.ts';
import type { Area } from './areas.ts';
import { type FetchedDay, isCoarse, type Source, SourceError } from './source.ts';

/** none: no source has the day; partly: the sources that answered do not have it, others failed; failed: every source failed. */
type Outcome = { day: FetchedDay; source: Source } | 'none' | 'partly' | 'failed';

type RangeOutcome = {
  days: Map<string, { day: FetchedDay; source: Source }>;
  /** whether every source of the area answered, so that a day that is not found does not exist */
  isComplete: boolean;
};

type Watched = { source: Source; breaker: ReturnType<typeof createCircuitBreaker>; isWorking: boolean };

export const retries = { attempts: 3, minDelayMs: 250, maxDelayMs: 2000, shouldRetry };
const maxPerMinute = 300; // the strictest source bans clients after 400 requests

/** Tries the sources in order until one has the whole day; a circuit breaker skips failing sources. */
export function createSourceChain(sources: readonly Source[], { clock, log }: { clock: Clock; log: Logger }) {
  const budget = createRateLimiter({ limit: maxPerMinute, windowMs: 60_000, clock, maxKeys: 100 });
  const watched = sources.map((source): Watched => ({ source, breaker: createCircuitBreaker(clock), isWorking: true }));

  function noteFailure(each: Watched, error: unknown): void {
    const pauseMs = each.breaker.fail(error);
    if (each.isWorking) log.warn({ source: each.source.id, err: error, pauseMs }, 'price source failed');
    each.isWorking = false;
  }

  function noteAnswer(each: Watched): void {
    each.breaker.succeed();
    if (!each.isWorking) log.info({ source: each.source.id }, 'price source recovered');
    each.isWorking = true;
  }

  return {
    status: () => watched.map(({ source: { id, name }, isWorking }) => ({ id, name, isWorking })),
    async fetchDay(area: Area, date: string, signal: AbortSignal): Promise<Outcome> {
      const asked = watched
        .filter(({ source }) => source.covers(area))
        .toSorted((a, b) => Number(isCoarse(a.source, date)) - Number(isCoarse(b.source, date)));
      let answers = 0;
      for (const each of asked) {
        if (signal.aborted) break;
        if (each.breaker.isOpen() || !budget.take(each.source.id).allowed) continue;
        try {
          const day = await retry(() => each.source.fetchDay(area, date, signal), { ...retries, signal });
          noteAnswer(each);
          if (day) return { day, source: each.source };
          answers++;
        } catch (error) {
          if (signal.aborted && signal.reason instanceof ServiceClosed) break;
          noteFailure(each, error);
        }
      }
      if (answers === asked.length && watched.length > 0) return 'none'; // also when no source covers the area
      return answers > 0 ? 'partly' : 'failed';
    },
    /** Asks the sources that can answer a range with one request, until all its days are found. */
    async fetchRange(area: Area, dates: readonly string[], signal: AbortSignal): Promise<RangeOutcome> {
      const days: RangeOutcome['days'] = new Map();
      let isComplete = true;
      for (const each of watched.filter(({ source }) => source.covers(area))) {
        const { source, breaker } = each;
        const missing = dates.filter((date) => !days.has(date));
        const [first, last] = [missing[0], missing.at(-1)];
        if (first === undefined || last === undefined || signal.aborted) break;
        const canAsk = source.fetchRange && !isCoarse(source, last) && !breaker.isOpen();
        if (!canAsk || !budget.take(source.id).allowed) {
          isComplete = false;
          continue;
        }
        try {
          const range = { first, last };
          const answer = await retry(async () => source.fetchRange?.(area, range, signal), {
            ...retries,
            shouldRetry,
            signal,
          });
          noteAnswer(each);
          for (const date of missing) {
            const day = answer?.get(date);
            if (day) days.set(date, { day, source });
          }
        } catch (error) {
          isComplete = false;
          if (signal.aborted && signal.reason instanceof ServiceClosed) break;
          noteFailure(each, error);
        }
      }
      return { days, isComplete };
    },
  };
}

export class ServiceClosed extends Error {
  override name = 'Closed';
}

// A timeout is not retried: the remaining time goes to the next source.
function shouldRetry(error: unknown): boolean {
  return error instanceof SourceError && error.kind === 'unreachable';
}

const failuresBefore = 3;
const shortestMs = 60_000;
const longestMs = 15 * minuteMs;

/** Blocks a source after three failures in a row, for longer each time; at once when it rejects or rate-limits us. */
export function createCircuitBreaker(clock: Clock) {
  let failures = 0;
  let openUntil = 0;
  return {
    isOpen: (): boolean => clock.now() < openUntil,
    succeed(): void {
      failures = 0;
    },
    /** Records a failure and returns for how long the source is blocked, ms. */
    fail(error: unknown): number {
      failures += 1;
      const now = clock.now();
      openUntil = Math.max(openUntil, now + pauseAfter(error, failures)); // later failures never shorten a ban
      return openUntil - now;
    },
  };
}

function pauseAfter(error: unknown, failures: number): number {
  if (error instanceof SourceError && error.kind === 'limited') return error.retryAfterMs ?? longestMs;
  if (error instanceof SourceError && error.kind === 'refused') return longestMs;
  return failures < failuresBefore ? 0 : Math.min(shortestMs * 2 ** (failures - failuresBefore), longestMs);
}
