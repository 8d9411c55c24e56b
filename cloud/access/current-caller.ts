import type { Db } from '../store/engine.ts';
import { findIdentity } from '../store/identities.ts';
import { isRevoked, isSigningKey } from '../store/tokens.ts';
import { findApplicationCaller } from './application-tokens.ts';
import { type Caller, isOpen } from './caller.ts';

/** Checks an earlier caller again. Returns undefined if the token or the identity has become invalid. */
export async function currentCaller(db: Db, caller: Caller, now: number): Promise<Caller | undefined> {
  if (caller.expiresAt <= now) return undefined;
  if (caller.application) return findApplicationCaller(db, caller.tokenId, now);
  const identity = await findIdentity(db, caller.identityId);
  if (!identity || !isOpen(identity, caller.issuedAt ?? 0) || (await isRevoked(db, caller.tokenId))) return undefined;
  return caller.keyId !== undefined && (await isSigningKey(db, caller.keyId)) ? caller : undefined;
}
