import type { Db } from './engine.ts';
import type { OAuthConsentRow } from './schema.ts';
import type { Slice } from './slice.ts';

/** One for each person and application: what was allowed last holds for every token of it. */
export async function saveConsent(db: Db, consent: OAuthConsentRow): Promise<void> {
  const { scopes, org_ids, created_at, expires_at } = consent;
  await db
    .insertInto('oauth_consents')
    .values(consent)
    .onConflict((conflict) =>
      conflict.columns(['identity_id', 'client_id']).doUpdateSet({ scopes, org_ids, created_at, expires_at }),
    )
    .execute();
}

export const listConsentsOf = (
  db: Db,
  identityId: string,
  { after, limit }: Slice,
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

/** With every token it stands behind; undefined when this person has no such consent. */
export async function deleteConsent(db: Db, id: string, identityId: string): Promise<OAuthConsentRow | undefined> {
  const consent = await db
    .deleteFrom('oauth_consents')
    .where('id', '=', id)
    .where('identity_id', '=', identityId)
    .returningAll()
    .executeTakeFirst();
  if (!consent) return undefined;
  await db
    .deleteFrom('oauth_records')
    .where('client_id', '=', consent.client_id)
    .where('identity_id', '=', identityId)
    .execute();
  return consent;
}
