import type { Identity } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/id.ts';
import type { Caller } from '../access/caller.ts';
import { createTokenMemory } from '../access/token-memory.ts';
import { findIdentity } from '../store/identities.ts';
import type { IdentityRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { isRevoked } from '../store/tokens.ts';
import type { KeyRing } from './key-ring.ts';
import { identityOf } from './register.ts';

export type Sessions = ReturnType<typeof createSessions>;

export type SessionDeps = { store: Store; keys: KeyRing; clock: Clock; deploymentId: string; tokenLifeMs: number };

/** Issues access tokens at login and verifies them on every request. Verified tokens are cached until they expire or are revoked. */
export function createSessions({ store, keys, clock, deploymentId, tokenLifeMs }: SessionDeps) {
  const identities = new WeakMap<Caller, Identity>();

  async function verify(authorization: string): Promise<Caller> {
    const token = bearerToken(authorization);
    const claims = await keys.verify(token, { issuer: deploymentId, audience: deploymentId }).catch(refuse);
    const { sub, jti, exp, keyId } = claims;
    const identity = await findIdentity(store.db, sub);
    if (!identity || identity.disabled_at !== null || (await isRevoked(store.db, jti))) throw refusal();
    const caller = { identityId: identity.id, type: identity.type, tokenId: jti, keyId, expiresAt: exp * 1000 };
    identities.set(caller, identityOf(identity));
    return caller;
  }

  const memory = createTokenMemory({ verify, refusal, clock });

  return {
    async open(identity: IdentityRow): Promise<{ token: string; expiresAt: number }> {
      const issuedAt = Math.floor(clock.now() / 1000);
      const expires = Math.floor((clock.now() + tokenLifeMs) / 1000);
      const token = await keys.sign({
        iss: deploymentId,
        aud: deploymentId,
        sub: identity.id,
        identity_type: identity.type,
        iat: issuedAt,
        exp: expires,
        jti: newId('tok', clock.now()),
      });
      return { token, expiresAt: expires * 1000 };
    },

    async authenticate(authorization: string | undefined): Promise<Caller> {
      if (authorization === undefined) throw missing();
      return memory.authenticate(authorization);
    },

    /** Returns the identity of an authenticated caller, as of the authentication. */
    identityOf(caller: Caller): Identity {
      const identity = identities.get(caller);
      if (!identity) throw missing();
      return identity;
    },
    forget: memory.forget,
  };
}

const maxTokenCharacters = 4096;

function bearerToken(authorization: string): string {
  const token = authorization.match(/^Bearer +([\w.~+/=-]+)$/i)?.[1];
  if (!token) throw missing();
  if (token.length > maxTokenCharacters) throw refusal();
  return token;
}

const missing = (): Problem =>
  new Problem('unauthenticated', 'Send an access token in the header Authorization: Bearer.');

const refusal = (cause?: unknown): Problem =>
  new Problem('unauthenticated', 'The access token is invalid or expired; sign in again.', {}, { cause });

const refuse = (cause: unknown): never => {
  throw refusal(cause);
};
