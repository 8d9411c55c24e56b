import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { Door } from '#lib/http/mount.ts';
import { addressKey, createRateLimiter } from '#lib/rate-limit.ts';

const windowMs = 60_000;
const mostCallers = 200_000;

/** Anybody may ask, and nobody too often. */
export function createPriceDoor(limit: number, clock: Clock): Door<object> {
  const limiter = createRateLimiter({ limit, windowMs, clock, maxKeys: mostCallers });
  const policy = `"ordinary";q=${limit};w=${windowMs / 1000}`;
  return {
    unknownFields: 'refuse',
    admit({ access, method, path }) {
      if (access !== 'public') throw new Error(`${method} ${path}: the price service knows nobody.`);
      return (request, reply) => {
        const { allowed, remaining, resetSeconds, retryAfterSeconds } = limiter.take(addressKey(request.ip));
        reply.header('ratelimit-policy', policy).header('ratelimit', `"ordinary";r=${remaining};t=${resetSeconds}`);
        if (allowed) return undefined;
        throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, {
          retryAfterSeconds,
        });
      };
    },
    serve: (_route, _request, handle) => handle({}),
  };
}
