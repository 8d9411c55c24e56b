import { hash } from 'node:crypto';
import { dataScopes } from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { dayMs } from '#contract/time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '../store/engine.ts';
import { findLiveToken } from '../store/oauth.ts';
import type { Store } from '../store/store.ts';
import type { Caller } from './caller.ts';
import { createTokenMemory, type TokenMemory } from './token-memory.ts';

/** How long an application keeps what it was allowed, unless it is withdrawn or allowed again. */
export const consentLifeMs = 365 * dayMs;

/** How long an access token of an application is valid. */
export const accessTokenSeconds = 3600;

/** Names the request in the browser that began it. */
export const requestCookie = 'ohmstead_oauth_request';

// Tokens of people are JWTs and have dots.
const form = /^Bearer +([\w-]{43})$/i;

export const isApplicationToken = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && form.test(authorization);

/** What is kept of whatever a client or a browser holds. */
export const oauthRecordId = (held: string): string => hash('sha256', held, 'base64url');

/** The person behind an application's token, held to what they allowed it; undefined when it is no longer good. */
export async function findApplicationCaller(db: Db, tokenId: string, now: number): Promise<Caller | undefined> {
  const token = await findLiveToken(db, tokenId, now);
  if (!token) return undefined;
  const { scope, iat, exp } = JSON.parse(token.payload) as { scope: string; iat: number; exp: number };
  if (exp - iat > accessTokenSeconds) return undefined;
  const asked = scope.split(' ');
  const consented = token.consented.split(' ');
  return {
    identityId: token.identity_id,
    type: token.type,
    tokenId,
    expiresAt: token.expires_at,
    application: {
      clientId: token.client_id,
      scopes: dataScopes.filter((known) => asked.includes(known) && consented.includes(known)),
      orgIds: JSON.parse(token.org_ids) as string[],
    },
  };
}

/** OAuth access tokens at the door. */
export const createApplicationTokens = ({ store, clock }: { store: Store; clock: Clock }): TokenMemory =>
  createTokenMemory({
    async verify(authorization) {
      const tokenId = oauthRecordId(authorization.match(form)![1]!);
      const caller = await findApplicationCaller(store.db, tokenId, clock.now());
      if (!caller) throw refusal();
      return caller;
    },
    refusal,
    clock,
  });

const refusal = (): Problem =>
  new Problem('unauthenticated', 'The access token is not valid, has ended or was withdrawn; ask for a new one.');
