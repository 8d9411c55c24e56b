import type { Static } from 'typebox';
import type { NewClient, OAuthClient } from '#contract/cloud/oauth.ts';
import { fieldProblem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { newSecret } from '#lib/secret.ts';
import { announceAccess } from '../access/access-version.ts';
import { oauthRecordId } from '../access/application-tokens.ts';
import type { Db } from '../store/engine.ts';
import { deleteClient, insertClient } from '../store/oauth.ts';
import type { OAuthClientRow } from '../store/schema.ts';
import type { Write } from '../store/store.ts';

type Registration = Static<typeof NewClient> & { orgId: string | null };

/** Registers an application. Its secret has 256 random bits, so a slow hash would add nothing. */
export async function registerClient(
  { name, redirect_uris, confidential, orgId }: Registration,
  db: Db,
  now: number,
): Promise<{ client: OAuthClientRow; secret: string | undefined }> {
  redirect_uris.forEach(checkRedirectUri);
  const secret = confidential ? newSecret() : undefined;
  const client = {
    id: newId('cli', now),
    org_id: orgId,
    name,
    redirect_uris: JSON.stringify([...new Set(redirect_uris)]),
    secret_hash: secret === undefined ? null : oauthRecordId(secret),
    created_at: now,
  };
  await insertClient(db, client);
  return { client, secret };
}

export async function removeClient(id: string, write: Pick<Write, 'db' | 'announce'>): Promise<void> {
  await deleteClient(write.db, id);
  await announceAccess(write, { clientId: id });
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);
const replyParameters = ['code', 'state', 'iss', 'error', 'error_description'];

/** Checks a redirect URI. It is compared literally in requests, so only its normalized spelling is accepted. */
export function checkRedirectUri(text: string, index: number): void {
  const refuse = (why: string): never => {
    throw fieldProblem('unprocessable', `body.redirect_uris.${index}`, why);
  };
  const uri = URL.parse(text) ?? refuse('is not an absolute address');
  if (uri.hash !== '' || text.includes('#')) refuse('must not have a fragment');
  if (uri.username !== '' || uri.password !== '') refuse('must not name a user');
  if (replyParameters.some((name) => uri.searchParams.has(name)))
    refuse(`must not carry ${replyParameters.join(', ')}`);
  const isLocal = uri.protocol === 'http:' && loopback.has(uri.hostname);
  if (uri.protocol !== 'https:' && !isLocal) refuse('must be https, or http on 127.0.0.1, [::1] or localhost');
  if (uri.protocol === 'https:' && loopback.has(uri.hostname)) refuse('must be http on the loopback address');
  const normalized = text.endsWith('/') || uri.pathname !== '/' ? uri.href : uri.href.replace(/\/(?=\?|$)/, '');
  if (normalized !== text) refuse(`is another spelling of ${normalized}; register that`);
}

export const clientOf = ({ id, name, redirect_uris, secret_hash, created_at }: OAuthClientRow): OAuthClient => ({
  client_id: id,
  name,
  redirect_uris: JSON.parse(redirect_uris),
  confidential: secret_hash !== null,
  created_at: formatTime(created_at),
});

export const clientMetadata = ({ id, name, redirect_uris, secret_hash }: OAuthClientRow): Record<string, unknown> => ({
  client_id: id,
  client_name: name,
  redirect_uris: JSON.parse(redirect_uris),
  application_type: 'native', // any port matches on the loopback address; elsewhere only the registered one
  token_endpoint_auth_method: secret_hash === null ? 'none' : 'client_secret_basic',
  ...(secret_hash !== null && { client_secret: secret_hash }),
});

/** Returns the userinfo claims of a person. The platform knows no e-mail addresses. */
export const claimsOf = ({ id, name }: { id: string; name: string | null }) => ({
  sub: id,
  name,
  login: id,
  email: null,
});
