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

/** How long a consent is valid unless it is withdrawn or given again. */
export const consentLifeMs = 365 * dayMs;

export const accessTokenSeconds = 3600;

/** The cookie that identifies an authorization request in the browser that began it. */
export const requestCookie = 'ohmstead_oauth_request';

// Access tokens of people are JWTs, which contain dots.
const form = /^Bearer +([\w-]{43})$/i;

export const isApplicationToken = (authorization: string | undefined): authorization is string =>
  authorization !== undefined && form.test(authorization);

/** Returns the stored id of a value that a client or a browser holds: its hash. */
export const oauthRecordId = (value: string): string => hash('sha256', value, 'base64url');

/** Returns the person behind an application's token, limited to their consent; undefined if the token is invalid. */
export async function findApplicationCaller(db: Db, tokenId: string, now: number): Promise<Caller | undefined> {
  const token = await findLiveToken(db, tokenId, now);
  if (!token) return undefined;
  const { scope, iat, exp }: { scope: string; iat: number; exp: number } = JSON.parse(token.payload);
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
      orgIds: JSON.parse(token.org_ids),
    },
  };
}

export const createApplicationTokens = ({ store, clock }: { store: Store; clock: Clock }): TokenMemory =>
  createTokenMemory({
    async verify(authorization) {
      const [, token = ''] = form.exec(authorization) ?? [];
      const caller = await findApplicationCaller(store.db, oauthRecordId(token), clock.now());
      if (!caller) throw refusal();
      return caller;
    },
    refusal,
    clock,
  });

const refusal = (): Problem =>
  new Problem('unauthenticated', 'The access token is invalid, expired or revoked; request a new one.');
