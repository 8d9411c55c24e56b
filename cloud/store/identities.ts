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

export const listDisabledIds = (db: Db): readonly string[] | Promise<readonly string[]> =>
  cached(db, 'disabled identities', () =>
    column('id', db.selectFrom('identities').where('disabled_at', 'is not', null).select('id')),
  );
