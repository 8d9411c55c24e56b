import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/id.ts';
import { type Caller, isOpen } from '../access/caller.ts';
import { createTokenMemory } from '../access/token-memory.ts';
import { findBrowserByKey } from '../store/browsers.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity, setSignedOut } from '../store/identities.ts';
import type { BrowserRow, IdentityRow } from '../store/schema.ts';
import {
  countSignIns,
  deleteSignIn,
  deleteSignInsOf,
  insertSignIn,
  keepNewest,
  listSignInsOfBrowser,
  noteUse,
} from '../store/sign-ins.ts';
import type { Store } from '../store/store.ts';
import { isRevoked, revokeToken } from '../store/tokens.ts';
import type { KeyRing } from './key-ring.ts';

export type Sessions = ReturnType<typeof createSessions>;

export type SessionDeps = { store: Store; keys: KeyRing; clock: Clock; deploymentId: string; tokenLifeMs: number };

/**
 * Returns the earliest time of a valid token, in the seconds of tokens. Those of the second in which the identity signed out
 * everywhere are invalid, so a new one may be dated a second ahead.
 */
export const earliestIssue = ({ signed_out_at }: Pick<IdentityRow, 'signed_out_at'>): number =>
  signed_out_at === null ? 0 : Math.floor(signed_out_at / 1000) + 1;

const maxListed = 200; // sign-ins of an identity; older ones are only ended together

/** Issues access tokens at login and verifies them on every request. Verified tokens are cached until they expire or are revoked. */
export function createSessions({ store, keys, clock, deploymentId, tokenLifeMs }: SessionDeps) {
  const lastUses = new Map<string, number>(); // by token id, since they were last written

  async function verify(authorization: string): Promise<Caller> {
    const token = bearerToken(authorization);
    const claims = await keys.verify(token, { issuer: deploymentId, audience: deploymentId }).catch(refuse);
    const { sub, jti, iat, exp, keyId } = claims;
    const issuedAt = iat * 1000;
    const identity = await findIdentity(store.db, sub);
    if (!identity || !isOpen(identity, issuedAt) || (await isRevoked(store.db, jti))) throw refusal();
    return { identityId: identity.id, type: identity.type, tokenId: jti, keyId, issuedAt, expiresAt: exp * 1000 };
  }

  const memory = createTokenMemory({ verify, refusal, clock });

  return {
    /** Issues a token and records it as a sign-in. */
    async open(
      identity: IdentityRow,
      { db, description, publicKey }: { db: Db; description: string; publicKey: string },
    ): Promise<{ token: string; expiresAt: number }> {
      const now = clock.now();
      const id = newId('tok', now);
      const issuedAt = Math.max(Math.floor(now / 1000), earliestIssue(identity));
      const expires = Math.floor((now + tokenLifeMs) / 1000);
      const token = await keys.sign({
        iss: deploymentId,
        aud: deploymentId,
        sub: identity.id,
        identity_type: identity.type,
        iat: issuedAt,
        exp: expires,
        jti: id,
      });
      const identity_id = identity.id;
      await insertSignIn(db, {
        id,
        identity_id,
        description,
        created_at: now,
        used_at: now,
        expires_at: expires * 1000,
        browser_id: (await findBrowserByKey(db, publicKey))?.id ?? null,
      });
      await keepNewest(db, identity_id, maxListed);
      return { token, expiresAt: expires * 1000 };
    },

    async authenticate(authorization: string | undefined): Promise<Caller> {
      if (authorization === undefined) throw missing();
      const caller = await memory.authenticate(authorization);
      lastUses.set(caller.tokenId, clock.now());
      return caller;
    },

    /** Stores when tokens were last used. */
    async writeUses(db: Db): Promise<void> {
      const uses = [...lastUses];
      for (const [id, at] of uses) await noteUse(db, id, at, at);
      for (const [id, at] of uses) if (lastUses.get(id) === at) lastUses.delete(id);
    },
    forget: memory.forget,
  };
}

/** Ends every sign-in of an identity. The tokens are refused once the change was announced. */
export async function endSignInsOf(identityId: string, { db, now }: { db: Db; now: number }): Promise<void> {
  const identity = (await findIdentity(db, identityId))!;
  await setSignedOut(db, identityId, Math.max(now, earliestIssue(identity) * 1000));
  await deleteSignInsOf(db, identityId);
}

/** Ends the sign-ins of a browser; every one of its identity if the list may have dropped some. */
export async function endSignInsOfBrowser(
  context: { db: Db; now: number },
  { id, identity_id }: BrowserRow,
): Promise<void> {
  const { db } = context;
  if ((await countSignIns(db, identity_id, maxListed)) >= maxListed) return endSignInsOf(identity_id, context);
  for (const signIn of await listSignInsOfBrowser(db, identity_id, id)) {
    await revokeToken(db, { jti: signIn.id, expires_at: signIn.expires_at });
    await deleteSignIn(db, signIn.id);
  }
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
