import type { Db } from './engine.ts';
import { table } from './table.ts';

const signIns = table('sign_ins');

export const insertSignIn = signIns.insert();
export const findSignIn = signIns.find('identity_id', 'id');
export const deleteSignIn = signIns.delete('id');
export const deleteSignInsOf = signIns.delete('identity_id');
export const deleteExpiredSignIns = signIns.delete('expires_at <');
export const listSignInsOfBrowser = signIns.list(['identity_id', 'browser_id'], 'id');
export const countSignIns = signIns.count('identity_id');
export const noteUse = signIns.update(['id', 'used_at <'], 'used_at');

export const listSignIns = signIns.pages(['identity_id', 'expires_at >'], 'id', 'desc');

/** Deletes all but the newest sign-ins of an identity from the list. */
export async function keepNewest(db: Db, identityId: string, count: number): Promise<void> {
  const newestFirst = db.selectFrom('sign_ins').where('identity_id', '=', identityId).orderBy('id', 'desc');
  const older = await newestFirst.select('id').offset(count).limit(1).executeTakeFirst();
  if (older) {
    await db.deleteFrom('sign_ins').where('identity_id', '=', identityId).where('id', '<=', older.id).execute();
  }
}
