import type { Db } from './engine.ts';
import type { OAuthClientRow } from './schema.ts';
import type { Slice } from './slice.ts';

export async function insertClient(db: Db, client: OAuthClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(client).execute();
}

export const findClient = (db: Db, id: string): Promise<OAuthClientRow | undefined> =>
  db.selectFrom('oauth_clients').where('id', '=', id).selectAll().executeTakeFirst();

export function listClients(db: Db, orgId: string, { after, limit }: Slice): Promise<OAuthClientRow[]> {
  return db
    .selectFrom('oauth_clients')
    .where('org_id', '=', orgId)
    .where('id', '>', after ?? '')
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function listClientIds(db: Db, orgId: string): Promise<string[]> {
  const rows = await db.selectFrom('oauth_clients').where('org_id', '=', orgId).select('id').execute();
  return rows.map(({ id }) => id);
}

export const listAllClients = (db: Db): Promise<OAuthClientRow[]> =>
  db.selectFrom('oauth_clients').selectAll().orderBy('id').execute();

/** With all that was allowed to it and issued to it. */
export async function deleteClient(db: Db, id: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('client_id', '=', id).execute();
  await db.deleteFrom('oauth_consents').where('client_id', '=', id).execute();
  await db.deleteFrom('oauth_clients').where('id', '=', id).execute();
}
