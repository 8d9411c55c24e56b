import { isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import { Problem } from '#contract/problem.ts';
import type { Clock } from './clock.ts';

type RateLimit = { limit: number; windowMs: number; clock: Clock; maxKeys: number };
type Bucket = { tokens: number; filledAt: number };

const roundingTokens = 1e-9; // rounding of many small refills must not cost a caller a token

/** Creates a token bucket per key: `limit` calls at once, refilled evenly over `windowMs`. */
export function createRateLimiter({ limit, windowMs, clock, maxKeys }: RateLimit) {
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
    const bucket = old.get(key) ?? { tokens: limit, filledAt: now };
    young.set(key, bucket);
    return bucket;
  }

  const secondsUntil = (bucket: Bucket, tokens: number): number =>
    Math.max(0, Math.ceil(((tokens - bucket.tokens - roundingTokens) * windowMs) / limit / 1000));

  return {
    take(key: string) {
      const now = clock.now();
      const bucket = bucketOf(key, now);
      const elapsedMs = Math.max(0, now - bucket.filledAt);
      bucket.tokens = Math.min(limit, bucket.tokens + (elapsedMs * limit) / windowMs);
      bucket.filledAt = now;

      const allowed = bucket.tokens + roundingTokens >= 1;
      if (allowed) bucket.tokens -= 1;
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

/** Creates a budget of `limit` requests a minute for each caller. Each process counts separately. */
export function createBudget(name: string, limit: number, clock: Clock): SpendBudget {
  const limiter = createRateLimiter({ limit, windowMs, clock, maxKeys: maxCallers });
  const policy = `"${name}";q=${limit};w=${windowMs / 1000}`;
  return (key, reply) => {
    const { allowed, remaining, resetSeconds, retryAfterSeconds } = limiter.take(key);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return;
    throw new Problem('rate_limited', `Too many requests; try again in ${retryAfterSeconds} s.`, { retryAfterSeconds });
  };
}
