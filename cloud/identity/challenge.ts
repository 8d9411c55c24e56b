import { createHmac, type KeyObject, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#lib/clock.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';

export type Challenges = ReturnType<typeof createChallenges>;

export type ChallengeDeps = {
  baseUrl(): string;
  secret(): KeyObject;
  /** a clock that cannot be set */
  monotonic: Clock;
};

const lifeMs = 120_000;
const purpose = 'login';

/**
 * Issues challenges that carry everything needed to check them, authenticated by an HMAC: purpose, platform, random bytes
 * and expiry. Nothing is stored until a challenge is used, so requesting many costs no space.
 */
export function createChallenges({ baseUrl, secret, monotonic }: ChallengeDeps) {
  const deadlines = createDeadlines(monotonic);
  const seal = (body: string, key: PublicKey): string =>
    createHmac('sha256', secret()).update(`${body}.${key.text}`).digest('base64url');

  return {
    issue(key: PublicKey, now: number): { challenge: string; expiresAt: number } {
      const expiresAt = now + lifeMs;
      const platform = Buffer.from(baseUrl()).toString('base64url');
      const random = randomBytes(32).toString('base64url');
      const body = [purpose, platform, random, expiresAt.toString(36), deadlines.make()].join('.');
      return { challenge: `${body}.${seal(body, key)}`, expiresAt };
    },

    /** Returns the id of a valid challenge that this platform issued for this key. */
    check(challenge: string, key: PublicKey, now: number): { id: string; expiresAt: number } | undefined {
      const parts = challenge.split('.');
      const [givenPurpose, , id, expiry, deadline, givenSeal] = parts;
      if (parts.length !== 6 || givenPurpose !== purpose || !id || !expiry || !deadline || !givenSeal) return undefined;
      const expected = Buffer.from(seal(parts.slice(0, 5).join('.'), key));
      const given = Buffer.from(givenSeal);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      if (deadlines.isPast(deadline)) return undefined;
      const expiresAt = Number.parseInt(expiry, 36);
      return expiresAt > now ? { id, expiresAt } : undefined;
    },
  };
}

const digits = 36 ** 9;

/**
 * Adds an expiry by the monotonic clock, so that an expired challenge stays invalid when the system clock is set back. Only
 * the process that issued it can check this. The count starts at a random value, so that it does not reveal the uptime.
 */
function createDeadlines(monotonic: Clock) {
  const processId = randomBytes(6).toString('base64url');
  const origin = digits + randomInt(2 ** 40) - Math.floor(monotonic.now());
  return {
    make: (): string => processId + (origin + Math.floor(monotonic.now()) + lifeMs).toString(36),
    isPast: (deadline: string): boolean =>
      deadline.startsWith(processId) &&
      Number.parseInt(deadline.slice(processId.length), 36) <= origin + Math.floor(monotonic.now()),
  };
}
