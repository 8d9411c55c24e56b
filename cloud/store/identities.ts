import type { Db } from './engine.ts';
import { cached } from './query-cache.ts';
import { column, table } from './table.ts';

const identities = table('identities');

export const findIdentity = identities.find('id');
export const findIdentityByKey = identities.find('public_key');
export const insertIdentity = identities.insert();

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
