import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';

export type Challenges = {
  issue(key: PublicKey, now: number): { challenge: string; expiresAt: number };
  /** The challenge's id when we issued it for this key and it is still valid. */
  check(challenge: string, key: PublicKey, now: number): { id: string; expiresAt: number } | undefined;
};

export type ChallengeDeps = {
  baseUrl(): string;
  secret(): Buffer;
  /** a clock that nobody sets */
  monotonic: Clock;
};

const lifeMs = 120_000;
const purpose = 'login';

/**
 * A challenge carries all that is needed to check it, under our seal: purpose, platform, random bytes, expiry.
 * Nothing is stored until it is used, so asking for challenges costs no room.
 */
export function createChallenges({ baseUrl, secret, monotonic }: ChallengeDeps): Challenges {
  const deadlines = createDeadlines(monotonic);
  const seal = (body: string, key: PublicKey): string =>
    createHmac('sha256', secret()).update(`${body}.${key.text}`).digest('base64url');

  return {
    issue(key, now) {
      const expiresAt = now + lifeMs;
      const platform = Buffer.from(baseUrl()).toString('base64url');
      const random = randomBytes(32).toString('base64url');
      const body = [purpose, platform, random, expiresAt.toString(36), deadlines.make()].join('.');
      return { challenge: `${body}.${seal(body, key)}`, expiresAt };
    },

    check(challenge, key, now) {
      const parts = challenge.split('.');
      const [saidPurpose, , id, expiry, deadline, saidSeal] = parts;
      if (parts.length !== 6 || saidPurpose !== purpose || !id || !expiry || !deadline || !saidSeal) return undefined;
      const expected = Buffer.from(seal(parts.slice(0, 5).join('.'), key));
      const given = Buffer.from(saidSeal);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      if (deadlines.isPast(deadline)) return undefined;
      const expiresAt = Number.parseInt(expiry, 36);
      return expiresAt > now ? { id, expiresAt } : undefined;
    },
  };
}

const digits = 36 ** 9;

/**
 * When a challenge ends on the clock that nobody sets, so that one which is over does not come back when the time of day is
 * set back. Only the process that made it can tell; how long it has been running is nobody's business, so it counts from anywhere.
 */
function createDeadlines(monotonic: Clock) {
  const us = randomBytes(6).toString('base64url');
  const origin = digits + randomInt(2 ** 40) - Math.floor(monotonic.now());
  return {
    make: (): string => us + (origin + Math.floor(monotonic.now()) + lifeMs).toString(36),
    isPast: (deadline: string): boolean =>
      deadline.startsWith(us) && Number.parseInt(deadline.slice(us.length), 36) <= origin + Math.floor(monotonic.now()),
  };
}
