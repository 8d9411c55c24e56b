import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '../store/engine.ts';
import type { SigningKeyRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { bumpAccessVersion, insertSigningKey, listSigningKeys, moveSigningKey } from '../store/tokens.ts';

type Key = {
  kid: string;
  stage: SigningKeyRow['stage'];
  privateKey: KeyObject;
  publicKey: KeyObject;
};

export type KeyRing = Awaited<ReturnType<typeof openKeyRing>>;

// A token of the last moment and a verifier whose clock is behind.
const skewMs = 60_000;

/** The keys that sign access tokens: one signs, the next is published ahead, the last ones still verify. */
export async function openKeyRing(store: Store, { clock, tokenLifeMs }: { clock: Clock; tokenLifeMs: number }) {
  await store.write(({ db }) => ensureKeys(db, clock.now()));
  let keys = await load(store.db);

  return {
    sign: (payload: JWTPayload): Promise<string> => {
      const { kid, privateKey } = keys.find(({ stage }) => stage === 'current')!;
      return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid }).sign(privateKey);
    },

    verify: async (token: string, { issuer, audience }: { issuer: string; audience: string }): Promise<JWTPayload> => {
      const keyOf = ({ kid }: { kid?: string }): KeyObject => {
        const key = keys.find((candidate) => candidate.kid === kid);
        if (!key) throw new Error('The token names a signing key that is not in use.');
        return key.publicKey;
      };
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ['EdDSA'],
        typ: 'JWT',
        issuer,
        audience,
        requiredClaims: ['sub', 'jti', 'exp', 'iat'],
        currentDate: new Date(clock.now()),
      });
      return payload;
    },

    /** The private key that signs now, for those who sign by themselves. */
    signingJwk: () => {
      const { kid, privateKey } = keys.find(({ stage }) => stage === 'current')!;
      return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' };
    },

    jwks: () => ({ keys: keys.map(({ kid, publicKey }) => publicJwk(kid, publicKey)) }),

    /** When the current key has signed for longer than this; true for the one of several processes that did it. */
    rotateAfter: (ageMs: number): Promise<boolean> =>
      store.write(async ({ db }) => {
        const now = clock.now();
        const isDue = now - (await signingSince(db)) > ageMs;
        if (isDue) await rotateKeys(db, now, tokenLifeMs);
        return isDue;
      }),

    reload: async (): Promise<void> => {
      keys = await load(store.db);
    },
  };
}

async function load(db: Db): Promise<Key[]> {
  const rows = await listSigningKeys(db);
  return rows.map(({ kid, stage, private_key }) => {
    const privateKey = createPrivateKey(private_key);
    return { kid, stage, privateKey, publicKey: createPublicKey(privateKey) };
  });
}

async function ensureKeys(db: Db, now: number): Promise<void> {
  const stages = new Set((await listSigningKeys(db)).map(({ stage }) => stage));
  if (!stages.has('current')) await insertSigningKey(db, newKey('current', now));
  if (!stages.has('next')) await insertSigningKey(db, newKey('next', now));
}

/** The next key was made when the current one began to sign. */
async function signingSince(db: Db): Promise<number> {
  return (await listSigningKeys(db)).find(({ stage }) => stage === 'next')!.created_at;
}

/** The next key signs from now on; the current one verifies until its last token is over. */
export async function rotateKeys(db: Db, now: number, tokenLifeMs: number): Promise<void> {
  await ensureKeys(db, now);
  for (const { kid, stage } of await listSigningKeys(db)) {
    if (stage === 'current') await moveSigningKey(db, kid, 'retiring', now + tokenLifeMs + skewMs);
    if (stage === 'next') await moveSigningKey(db, kid, 'current', null);
  }
  await insertSigningKey(db, newKey('next', now));
  await bumpAccessVersion(db);
}

function newKey(stage: SigningKeyRow['stage'], now: number): SigningKeyRow {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const kid = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'base64url').slice(0, 16);
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { kid, private_key: pem, stage, created_at: now, expires_at: null };
}

function publicJwk(kid: string, publicKey: KeyObject) {
  const { kty, crv, x } = publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string };
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
}
