import { dayMs } from '#contract/time.ts';
import type { Db, PageRange } from './engine.ts';
import { first, prepared } from './prepared.ts';
import type { OAuthConsentRow, OAuthRecordRow } from './schema.ts';
import { column, table } from './table.ts';

const clients = table('oauth_clients');
const consents = table('oauth_consents');
const records = table('oauth_records');

export const insertClient = clients.insert();
export const findClient = clients.find('id');
export const listClients = clients.pages(['org_id'], 'id');

export const listAllClients = clients.list([], 'id');

export const listClientIds = (db: Db, orgId: string): Promise<string[]> =>
  column('id', db.selectFrom('oauth_clients').where('org_id', '=', orgId).select('id'));

/** Deletes an application with its consents and everything that was issued to it. */
export async function deleteClient(db: Db, id: string): Promise<void> {
  await records.delete('client_id')(db, id);
  await consents.delete('client_id')(db, id);
  await clients.delete('id')(db, id);
}

/** Saves the one consent of a person for an application. The newest applies to every token of the application. */
export const saveConsent = consents.save(['identity_id', 'client_id'], 'scopes', 'org_ids', 'created_at', 'expires_at');

export const listConsentsOf = (
  db: Db,
  identityId: string,
  { after, limit }: PageRange,
): Promise<(OAuthConsentRow & { client_name: string })[]> =>
  db
    .selectFrom('oauth_consents')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_consents.client_id')
    .where('identity_id', '=', identityId)
    .where('oauth_consents.id', '>', after ?? '')
    .selectAll('oauth_consents')
    .select('oauth_clients.name as client_name')
    .orderBy('oauth_consents.id')
    .limit(limit)
    .execute();

export const findConsent = consents.find('identity_id', 'client_id');

/** Deletes a consent with the tokens that depend on it; returns undefined when this person has no such consent. */
export async function deleteConsent(db: Db, id: string, identityId: string): Promise<OAuthConsentRow | undefined> {
  const consent = await consents.take('id', 'identity_id')(db, id, identityId);
  if (consent) await records.delete('client_id', 'identity_id')(db, consent.client_id, identityId);
  return consent;
}

export const saveRecord = records.save(['id'], 'payload', 'expires_at');
export const findRecord = records.find('id', 'kind');
export const deleteRecord = records.take('id');

/** Marks a record as used. Returns 1 the first time, then 0. */
export const consumeRecord = table('oauth_records', 'consumed_at is null').update(['id'], 'consumed_at');

/** Deletes the grant and everything that was issued under it. */
export const deleteGrant = (db: Db, grantId: string): Promise<Pick<OAuthRecordRow, 'client_id' | 'identity_id'>[]> =>
  db.deleteFrom('oauth_records').where('grant_id', '=', grantId).returning(['client_id', 'identity_id']).execute();

const keptMs = dayMs; // an expired code or token is still recognised as used for a day

export async function deleteExpiredOAuth(db: Db, now: number): Promise<void> {
  await records.delete('expires_at <')(db, now - keptMs);
  await consents.delete('expires_at <')(db, now);
}

/** Finds an access token whose grant, consent, application and person are all still valid. */
export const findLiveToken = first(
  prepared((db, id: string, now: number) =>
    db
      .selectFrom('oauth_records as token')
      .innerJoin('oauth_records as grant', (join) =>
        join.onRef('grant.grant_id', '=', 'token.grant_id').on('grant.kind', '=', 'Grant'),
      )
      .innerJoin('oauth_consents as consent', (join) =>
        join.onRef('consent.client_id', '=', 'token.client_id').onRef('consent.identity_id', '=', 'token.identity_id'),
      )
      .innerJoin('identities', 'identities.id', 'token.identity_id')
      .where('token.id', '=', id)
      .where('token.kind', '=', 'AccessToken')
      .where('token.expires_at', '>', now)
      .where('consent.expires_at', '>', now)
      .where('identities.disabled_at', 'is', null)
      .select(['token.payload', 'token.expires_at', 'consent.org_ids', 'consent.scopes as consented'])
      .select(['consent.client_id', 'consent.identity_id', 'identities.type']),
  ),
);

/** Deletes from a restored copy the records that were deleted or used in the live database since. */
export async function copyOAuthWithdrawals(from: Db, to: Db): Promise<void> {
  const unused = from.selectFrom('oauth_records').where('consumed_at', 'is', null).select('id');
  const unusedIds = new Set(await column('id', unused));
  for (const { id } of await to.selectFrom('oauth_records').select('id').execute()) {
    if (!unusedIds.has(id)) await deleteRecord(to, id);
  }
}
