import { findBrowserByKey } from './browsers.ts';
import type { Db } from './engine.ts';
import { cached } from './query-cache.ts';
import type { IdentityRow } from './schema.ts';
import { column, table } from './table.ts';

const identities = table('identities');

export const findIdentity = identities.find('id');
export const insertIdentity = identities.insert();

const findByFirstKey = identities.find('public_key');

/** Finds the identity of a key: the one that registered it, or that of a browser it added. */
export async function findIdentityByKey(db: Db, key: string): Promise<IdentityRow | undefined> {
  const registered = await findByFirstKey(db, key);
  if (registered) return registered;
  const browser = await findBrowserByKey(db, key);
  return browser && findIdentity(db, browser.identity_id);
}

/** Returns the given ids that the platform knows. */
export const listKnownIdentities = (db: Db, ids: string[]): Promise<string[]> =>
  column('id', db.selectFrom('identities').where('id', 'in', ids).select('id'));

export const listIdentities = identities.list([], 'id');
export const setDisabled = identities.update(['id'], 'disabled_at');
export const setName = identities.update(['id'], 'name');
export const setSignedOut = identities.update(['id'], 'signed_out_at');

/** Lists identities that signed out everywhere after a time. */
export const listSignedOutIds = (db: Db, after: number): Promise<string[]> =>
  column('id', db.selectFrom('identities').where('signed_out_at', '>', after).select('id'));

export const listDisabledIds = (db: Db): readonly string[] | Promise<readonly string[]> =>
  cached(db, 'disabled identities', () =>
    column('id', db.selectFrom('identities').where('disabled_at', 'is not', null).select('id')),
  );
