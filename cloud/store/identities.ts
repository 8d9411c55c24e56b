import type { Db } from './engine.ts';
import { cached } from './query-cache.ts';
import type { IdentityRow } from './schema.ts';
import { table } from './table.ts';

const identities = table('identities');

export const findIdentity = identities.find('id');
export const findIdentityByKey = identities.find('public_key');
export const insertIdentity = identities.insert();

/** Returns the given ids that the platform knows. */
export async function listKnownIdentities(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('identities').where('id', 'in', ids).select('id').execute();
  return rows.map(({ id }) => id);
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
