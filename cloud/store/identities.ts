import type { Db } from './engine.ts';
import { prepared, takeFirst } from './prepared.ts';
import { cached } from './query-cache.ts';
import type { IdentityRow } from './schema.ts';

const byId = prepared((db, { id }: { id: string }) => db.selectFrom('identities').where('id', '=', id).selectAll());

export const findIdentity = (db: Db, id: string): Promise<IdentityRow | undefined> => takeFirst(byId(db, { id }));

/** Returns the given ids that the platform knows. */
export async function listKnownIdentities(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('identities').where('id', 'in', ids).select('id').execute();
  return rows.map(({ id }) => id);
}

const byKey = prepared((db, { key }: { key: string }) =>
  db.selectFrom('identities').where('public_key', '=', key).selectAll(),
);

export const findIdentityByKey = (db: Db, publicKey: string): Promise<IdentityRow | undefined> =>
  takeFirst(byKey(db, { key: publicKey }));

export async function insertIdentity(db: Db, identity: IdentityRow): Promise<void> {
  await db.insertInto('identities').values(identity).execute();
}

export const listIdentities = (db: Db): Promise<IdentityRow[]> =>
  db.selectFrom('identities').selectAll().orderBy('id').execute();

const disabled = (db: Db) => db.selectFrom('identities').where('disabled_at', 'is not', null).select('id');

export const listDisabledIds = (db: Db): readonly string[] | Promise<readonly string[]> =>
  cached(db, 'disabled identities', async () => (await disabled(db).execute()).map(({ id }) => id));

export async function setDisabled(db: Db, id: string, disabledAt: number | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('identities')
    .set({ disabled_at: disabledAt })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
