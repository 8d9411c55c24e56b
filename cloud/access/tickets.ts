import { hash, randomBytes } from 'node:crypto';
import { Problem } from '#contract/problem.ts';
import type { Db } from '../store/engine.ts';
import { insertTicket, takeTicket } from '../store/tokens.ts';
import type { Caller } from './caller.ts';
import { currentCaller } from './current-caller.ts';

const lifeMs = 30_000;

const idOf = (ticket: string): string => hash('sha256', ticket, 'base64url');

/** Issues a ticket that authenticates its caller on one stream, once. Only its hash is stored. */
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
  const isGood = taken && taken.expires_at > now && taken.site_id === siteId;
  const caller = isGood ? await currentCaller(db, JSON.parse(taken.caller), now) : undefined;
  if (!caller) {
    throw new Problem('unauthenticated', 'The ticket is used, expired, or for another stream; request a new one.');
  }
  return caller;
}
