import type { IdentityType } from '#contract/access.ts';
import { dayMs } from '#contract/time.ts';
import type { Db } from './engine.ts';
import { prepared } from './prepared.ts';
import type { OAuthRecordRow } from './schema.ts';

export async function saveRecord(db: Db, record: OAuthRecordRow): Promise<void> {
  const { payload, expires_at } = record;
  await db
    .insertInto('oauth_records')
    .values(record)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload, expires_at }))
    .execute();
}

export const findRecord = (db: Db, id: string, kind: string): Promise<OAuthRecordRow | undefined> =>
  db.selectFrom('oauth_records').where('id', '=', id).where('kind', '=', kind).selectAll().executeTakeFirst();

/** True the first time only. */
export async function consumeRecord(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ consumed_at: now })
    .where('id', '=', id)
    .where('consumed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteRecord(db: Db, id: string): Promise<OAuthRecordRow | undefined> {
  return db.deleteFrom('oauth_records').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Deletes the grant and everything that was issued under it. */
export const deleteGrant = (db: Db, grantId: string): Promise<Pick<OAuthRecordRow, 'client_id' | 'identity_id'>[]> =>
  db.deleteFrom('oauth_records').where('grant_id', '=', grantId).returning(['client_id', 'identity_id']).execute();

const keptMs = dayMs; // a code or token that is over is still recognised as used for a day

export async function forgetOAuth(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('expires_at', '<', now - keptMs)
    .execute();
  await db.deleteFrom('oauth_consents').where('expires_at', '<', now).execute();
}

export type LiveToken = {
  payload: string;
  expires_at: number;
  org_ids: string;
  consented: string;
  client_id: string;
  identity_id: string;
  type: IdentityType;
};

const liveToken = prepared((db, { id, now }: { id: string; now: number }) =>
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
    .select([
      'token.payload',
      'token.expires_at',
      'consent.org_ids',
      'consent.scopes as consented',
      'consent.client_id',
      'consent.identity_id',
      'identities.type',
    ]),
);

/** An access token whose grant, consent, application and person all still stand. */
export async function findLiveToken(db: Db, id: string, now: number): Promise<LiveToken | undefined> {
  const [row] = await liveToken(db, { id, now });
  return row;
}

/** What applications held and have no longer, or have used up, does not come back with an older copy. */
export async function carryWithdrawals(from: Db, to: Db): Promise<void> {
  const unused = await from.selectFrom('oauth_records').where('consumed_at', 'is', null).select('id').execute();
  const good = new Set(unused.map(({ id }) => id));
  for (const { id } of await to.selectFrom('oauth_records').select('id').execute()) {
    if (!good.has(id)) await deleteRecord(to, id);
  }
}
