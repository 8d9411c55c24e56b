import { hash, randomBytes } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity } from '../store/identities.ts';
import { insertTicket, takeTicket } from '../store/stream-tickets.ts';
import { isRevoked } from '../store/tokens.ts';
import type { Caller } from './caller.ts';

const lifeMs = 30_000;

const idOf = (ticket: string): string => hash('sha256', ticket, 'base64url');

/** A ticket stands for its caller on one stream, once. Only its hash is kept. */
export async function issueTicket(
  db: Db,
  caller: Caller,
  siteId: string,
  now: number,
): Promise<{ ticket: string; expiresAt: number }> {
  const ticket = randomBytes(24).toString('base64url');
  const expiresAt = now + lifeMs;
  await insertTicket(db, { id: idOf(ticket), site_id: siteId, caller: JSON.stringify(caller), expires_at: expiresAt });
  return { ticket, expiresAt };
}

export async function redeemTicket(db: Db, ticket: string, siteId: string, now: number): Promise<Caller> {
  const taken = await takeTicket(db, idOf(ticket));
  const caller = taken && (JSON.parse(taken.caller) as Caller);
  const isGood = taken && taken.expires_at > now && taken.site_id === siteId && caller && caller.expiresAt > now;
  const identity = isGood ? await findIdentity(db, caller.identityId) : undefined;
  if (!isGood || !identity || identity.disabled_at !== null || (await isRevoked(db, caller.tokenId))) {
    throw new Problem('unauthenticated', 'The ticket is used, over, or for another stream; ask for a new one.');
  }
  return caller;
}
