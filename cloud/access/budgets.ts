import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Budget } from '#contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import type { CloudConfig } from '../config.ts';

const windowMs = 60_000;
const mostCallers = 200_000;

/** Takes one request from a caller's budget and tells them what is left. */
export type Spend = (budget: Budget, key: string, reply: FastifyReply) => void;

/** Each process counts for itself. */
export function createBudgets(config: CloudConfig, clock: Clock): Spend {
  const limits: Record<Budget, number> = {
    ordinary: config.RATE_ORDINARY,
    register: config.RATE_REGISTER,
    login: config.RATE_LOGIN,
    claim: config.RATE_CLAIM,
    control: config.RATE_CONTROL,
  };
  const meters = new Map(
    Object.entries(limits).map(([budget, limit]) => [
      budget,
      {
        policy: `"${budget}";q=${limit};w=${windowMs / 1000}`,
        limiter: createRateLimiter({ limit, windowMs, clock, maxKeys: mostCallers }),
      },
    ]),
  );
  return (budget, key, reply) => {
    const { policy, limiter } = meters.get(budget)!;
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = limiter.take(key);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${budget}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return;
    throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}
