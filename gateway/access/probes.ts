import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';

export type Probes = { run<Result>(probe: () => Promise<Result>): Promise<Result> };

const perMinute = 10;
const mostAtOnce = 2;

/** Looking at the local network for somebody is rationed: the gateway is no port scanner. */
export function createProbes(clock: Clock): Probes {
  const limiter = createRateLimiter({ limit: perMinute, windowMs: 60_000, clock, maxKeys: 2 });
  let running = 0;

  return {
    async run(probe) {
      if (running >= mostAtOnce) {
        throw new Problem('rate_limited', `At most ${mostAtOnce} probes run at once.`, { retryAfterSeconds: 1 });
      }
      const { allowed, retryAfterSeconds } = limiter.take('');
      if (!allowed) throw new Problem('rate_limited', `At most ${perMinute} probes a minute.`, { retryAfterSeconds });
      running += 1;
      try {
        return await probe();
      } finally {
        running -= 1;
      }
    },
  };
}
