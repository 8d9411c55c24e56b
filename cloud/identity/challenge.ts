import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PublicKey } from '#lib/keys/public-key.ts';

export type Challenges = {
  issue(key: PublicKey, now: number): { challenge: string; expiresAt: number };
  /** The challenge's id when we issued it for this key and it is still valid. */
  check(challenge: string, key: PublicKey, now: number): { id: string; expiresAt: number } | undefined;
};

const lifeMs = 120_000;
const purpose = 'login';

/**
 * A challenge carries all that is needed to check it, under our seal: purpose, platform, random bytes, expiry.
 * Nothing is stored until it is used, so asking for challenges costs no room.
 */
export function createChallenges({ baseUrl, secret }: { baseUrl(): string; secret: Buffer }): Challenges {
  const sealingKey = createSecretKey(secret);
  const seal = (body: string, key: PublicKey): string =>
    createHmac('sha256', sealingKey).update(`${body}.${key.text}`).digest('base64url');

  return {
    issue(key, now) {
      const expiresAt = now + lifeMs;
      const platform = Buffer.from(baseUrl()).toString('base64url');
      const body = [purpose, platform, randomBytes(32).toString('base64url'), expiresAt.toString(36)].join('.');
      return { challenge: `${body}.${seal(body, key)}`, expiresAt };
    },

    check(challenge, key, now) {
      const parts = challenge.split('.');
      const [saidPurpose, , id, expiry, saidSeal] = parts;
      if (parts.length !== 5 || saidPurpose !== purpose || !id || !expiry || !saidSeal) return undefined;
      const expected = Buffer.from(seal(parts.slice(0, 4).join('.'), key));
      const given = Buffer.from(saidSeal);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const expiresAt = Number.parseInt(expiry, 36);
      return expiresAt > now ? { id, expiresAt } : undefined;
    },
  };
}
