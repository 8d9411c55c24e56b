import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '../clock.ts';
import { createRateLimiter } from '../rate-limit.ts';

const windowMs = 60_000;
const mostCallers = 200_000;

/** Takes one request from a caller's budget and tells them what is left. */
export type Spend = (key: string, reply: FastifyReply) => void;

/** So many requests a minute for each caller. Each process counts for itself. */
export function createBudget(name: string, limit: number, clock: Clock): Spend {
  const limiter = createRateLimiter({ limit, windowMs, clock, maxKeys: mostCallers });
  const policy = `"${name}";q=${limit};w=${windowMs / 1000}`;
  return (key, reply) => {
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = limiter.take(key);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return;
    throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}
