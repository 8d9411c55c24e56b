import * as crypto from 'node:crypto';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { hourMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import { signTyped } from '#lib/keys/typed-message.ts';
import type { Db } from '../store/engine.ts';
import type { SigningKeyRow } from '../store/schema.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import * as queries from '../store/tokens.ts';

type Key = {
  kid: string;
  stage: SigningKeyRow['stage'];
  privateKey: crypto.KeyObject;
  publicKey: crypto.KeyObject;
  expiresAt: number | null;
};

type Claims = { sub: string; jti: string; iat: number; exp: number };

type Verified = Claims & { keyId: string };

type Secrets = { keys: Key[]; challengeSecret: crypto.KeyObject };

const challengeSetting = 'challenge_secret';

export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>;

const aheadMs = 2 * hourMs; // the clock may have been set back after the token was issued

/** Refuses a token that is valid for longer than the platform issues them: only a stolen key signs such a token. */
function checkLife({ iat, exp }: Claims, tokenLifeMs: number, now: number): void {
  const isTooLong = !(exp - iat <= Math.ceil(tokenLifeMs / 1000));
  const isAhead = !(iat * 1000 <= now + aheadMs);
  if (isTooLong || isAhead) throw new Error('The token is valid for longer than tokens of this platform are.');
}

// For a token issued at the last moment, and a verifier whose clock is slow.
const skewMs = 60_000;

/** Opens the signing keys of access tokens (one signs, the next is published early, old ones still verify) and the challenge secret. */
export async function openKeyRing(store: Store, { clock, tokenLifeMs }: { clock: Clock; tokenLifeMs: number }) {
  await store.write(({ db }) => ensureKeys(db, clock.now()));
  let { keys, challengeSecret } = await load(store.db);
  const currentKey = (): Key => keyAt('current', keys);

  return {
    challengeSecret: (): crypto.KeyObject => challengeSecret,

    sign: (payload: JWTPayload): Promise<string> => {
      const { kid, privateKey } = currentKey();
      return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid }).sign(privateKey);
    },

    verify: async (token: string, expected: { issuer: string; audience: string }): Promise<Verified> => {
      const keyOf = ({ kid }: { kid?: string }): crypto.KeyObject => {
        const key = keys.find((candidate) => candidate.kid === kid);
        if (!key) throw new Error('The token names a signing key that is not in use.');
        return key.publicKey;
      };
      const { payload, protectedHeader } = await jwtVerify<Claims>(token, keyOf, {
        algorithms: ['EdDSA'],
        typ: 'JWT',
        ...expected,
        requiredClaims: ['sub', 'jti', 'exp', 'iat'],
        currentDate: new Date(clock.now()),
      });
      checkLife(payload, tokenLifeMs, clock.now());
      return { ...payload, keyId: protectedHeader.kid ?? '' };
    },

    /** Signs a message for gateways, as a compact JWS of this type. */
    signTyped: (typ: string, payload: object): string => signTyped(typ, payload, currentKey()),

    /** Returns the current private key, for the OAuth server. */
    signingJwk: () => {
      const { kid, privateKey } = currentKey();
      return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' };
    },

    jwks: () => ({ keys: keys.map(({ kid, publicKey }) => publicJwk(kid, publicKey)) }),

    /** Rotates the keys if the current one is older than this. Returns true in the one process that did it. */
    rotateAfter: (ageMs: number): Promise<boolean> =>
      store.write(async ({ db }) => {
        const now = clock.now();
        // The next key was created when the current one began to sign.
        const isDue = now - keyAt('next', await queries.listSigningKeys(db)).created_at > ageMs;
        if (isDue) await rotateKeys(db, now, tokenLifeMs);
        return isDue;
      }),

    /** Reads the keys again. Returns whether a key was withdrawn that still had valid tokens. */
    reload: async (): Promise<boolean> => {
      const before = keys;
      ({ keys, challengeSecret } = await load(store.db));
      const isKept = ({ kid }: Key): boolean => keys.some((key) => key.kid === kid);
      return before.some((key) => !isKept(key) && (key.expiresAt ?? Number.POSITIVE_INFINITY) > clock.now());
    },
  };
}

async function load(db: Db): Promise<Secrets> {
  const rows = await queries.listSigningKeys(db);
  const keys = rows.map(({ kid, stage, private_key, expires_at }) => {
    const privateKey = crypto.createPrivateKey(private_key);
    return { kid, stage, privateKey, publicKey: crypto.createPublicKey(privateKey), expiresAt: expires_at };
  });
  const secret = await readSetting(db, challengeSetting);
  if (secret === undefined) throw new Error('The database has no secret for challenges; restore it from a backup.');
  return { keys, challengeSecret: crypto.createSecretKey(secret, 'base64url') };
}

async function ensureKeys(db: Db, now: number): Promise<void> {
  if ((await readSetting(db, challengeSetting)) === undefined) await renewChallengeSecret(db);
  const stages = new Set((await queries.listSigningKeys(db)).map(({ stage }) => stage));
  if (!stages.has('current')) await queries.insertSigningKey(db, newKey('current', now));
  if (!stages.has('next')) await queries.insertSigningKey(db, newKey('next', now));
}

function keyAt<K extends { stage: SigningKeyRow['stage'] }>(stage: K['stage'], keys: readonly K[]): K {
  const key = keys.find((candidate) => candidate.stage === stage);
  if (!key) throw new Error(`There is no ${stage} signing key.`);
  return key;
}

/** Makes the next key sign; the current one verifies until its last token expires. */
export async function rotateKeys(db: Db, now: number, tokenLifeMs: number): Promise<void> {
  await ensureKeys(db, now);
  for (const { kid, stage } of await queries.listSigningKeys(db)) {
    if (stage === 'current') await queries.moveSigningKey(db, kid, 'retiring', now + tokenLifeMs + skewMs);
    if (stage === 'next') await queries.moveSigningKey(db, kid, 'current', null);
  }
  await queries.insertSigningKey(db, newKey('next', now));
  await queries.bumpAccessVersion(db);
}

/**
 * Deletes every signing key, including the next one, and everything that was issued with them, and creates new keys.
 * All processes notice within a second and accept no earlier token, ticket, challenge or OAuth grant.
 */
export async function endAllTokens(db: Db, now: number): Promise<void> {
  await queries.deleteIssuedTokens(db);
  await renewChallengeSecret(db);
  await ensureKeys(db, now);
  await queries.bumpAccessVersion(db);
}

/** Copies the current keys to an older copy of this deployment, so that withdrawn keys do not return. */
export async function carryKeys(from: Db, to: Db): Promise<void> {
  const keys = await queries.listSigningKeys(from);
  const secret = await readSetting(from, challengeSetting);
  if (keys.length === 0 || secret === undefined) return;
  await queries.replaceSigningKeys(to, keys);
  await writeSetting(to, challengeSetting, secret);
}

const renewChallengeSecret = (db: Db): Promise<void> =>
  writeSetting(db, challengeSetting, crypto.randomBytes(32).toString('base64url'));

function newKey(stage: SigningKeyRow['stage'], now: number): SigningKeyRow {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
  const kid = crypto.hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, 16);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { kid, private_key: pem, stage, created_at: now, expires_at: null };
}

function publicJwk(kid: string, publicKey: crypto.KeyObject) {
  const { kty = '', crv = '', x = '' } = publicKey.export({ format: 'jwk' });
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
}
