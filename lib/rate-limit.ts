import { isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Clock } from './clock.ts';

type RateLimit = {
  limit: number;
  windowMs: number;
  clock: Clock;
  maxKeys: number;
  /** reports calls to the other processes of a platform, which spend them too */
  report?: ((key: string, calls: number) => void) | undefined;
};
type Bucket = { tokens: number; filledAt: number; counted: number; countedFrom: number };

const roundingTokens = 1e-9; // rounding of many small refills must not cost a caller a token

/** Calls are reported in portions of the limit. A few processes together then exceed it by less than a fifth. */
export const reportsPerLimit = 20;

/** Creates a token bucket per key: `limit` calls at once, refilled evenly over `windowMs`. */
export function createRateLimiter({ limit, windowMs, clock, maxKeys, report }: RateLimit) {
  // Two generations bound the memory: a key in use moves to the young one, the old one is dropped whole.
  // A bucket left alone for a window is full again, so dropping it by age forgets nothing.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let youngSince = clock.now();

  function bucketOf(key: string, now: number): Bucket {
    const known = young.get(key);
    if (known) return known;
    if (young.size >= maxKeys / 2 || now - youngSince >= windowMs) {
      old = young;
      young = new Map();
      youngSince = now;
    }
    const bucket = old.get(key) ?? { tokens: limit, filledAt: now, counted: 0, countedFrom: now };
    young.set(key, bucket);
    return bucket;
  }

  const secondsUntil = (bucket: Bucket, tokens: number): number =>
    Math.max(0, Math.ceil(((tokens - bucket.tokens - roundingTokens) * windowMs) / limit / 1000));

  /** Returns the bucket of a key as it is now. */
  function filled(key: string): Bucket {
    const now = clock.now();
    const bucket = bucketOf(key, now);
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    bucket.tokens = Math.min(limit, bucket.tokens + (elapsedMs * limit) / windowMs);
    bucket.filledAt = now;
    return bucket;
  }

  /** Reports calls once they are a portion of the limit within a window; fewer do not matter. */
  function count(key: string, bucket: Bucket): void {
    if (!report) return;
    if (bucket.filledAt - bucket.countedFrom > windowMs) {
      bucket.counted = 0;
      bucket.countedFrom = bucket.filledAt;
    }
    bucket.counted++;
    if (bucket.counted < limit / reportsPerLimit) return;
    report(key, bucket.counted);
    bucket.counted = 0;
    bucket.countedFrom = bucket.filledAt;
  }

  return {
    /** Spends calls that another process allowed. */
    spend(key: string, calls: number): void {
      const bucket = filled(key);
      bucket.tokens = Math.max(-limit, bucket.tokens - calls);
    },

    take(key: string) {
      const bucket = filled(key);
      const allowed = bucket.tokens + roundingTokens >= 1;
      if (allowed) {
        bucket.tokens -= 1;
        count(key, bucket);
      }
      return {
        allowed,
        remaining: Math.max(0, Math.floor(bucket.tokens + roundingTokens)),
        resetSeconds: secondsUntil(bucket, limit),
        retryAfterSeconds: allowed ? 0 : secondsUntil(bucket, 1),
      };
    },
  };
}

/** Returns the part of an address that identifies one customer: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const groups = ipv6Groups(ip.replace(/%.*$/, ''));
  const isMappedIPv4 = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMappedIPv4) {
    const octets = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return octets.join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

function ipv6Groups(ip: string): number[] {
  const { hostname } = new URL(`http://[${ip}]`); // spells an IPv4 address at the end in hex, too
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group ? [Number.parseInt(group, 16)] : [])));
  const zeros = new Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

const windowMs = 60_000;
const maxCallers = 200_000;

/** Takes one request from a caller's budget and sets the rate-limit headers. Throws if the budget is used up. */
type SpendBudget = (key: string, reply: FastifyReply) => void;

/** Shares what callers spent with the other processes of a platform. */
export type SharedSpending = {
  report(budget: string, key: string, calls: number): void;
  /** Calls the listener with what the others report of a budget. */
  onReport(budget: string, listener: (key: string, calls: number) => void): void;
};

/** Creates a budget of `limit` requests a minute for each caller. */
export function createBudget(name: string, limit: number, clock: Clock, shared?: SharedSpending): SpendBudget {
  const report = shared && ((key: string, calls: number): void => shared.report(name, key, calls));
  const limiter = createRateLimiter({ limit, windowMs, clock, maxKeys: maxCallers, report });
  shared?.onReport(name, limiter.spend);
  const policy = `"${name}";q=${limit};w=${windowMs / 1000}`;
  return (key, reply) => {
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = limiter.take(key);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return;
    throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}
