import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { tableNames } from './migrate.ts';
import { column, table } from './table.ts';

const browsers = table('browsers');

export const insertBrowser = browsers.insert();
export const findBrowser = browsers.find('identity_id', 'id');
export const findBrowserByKey = browsers.find('public_key');
export const listBrowsers = browsers.list(['identity_id'], 'id');
export const deleteBrowser = browsers.delete('id');

const pairings = table('pairings');

export const savePairing = pairings.save(
  ['identity_id'],
  'id',
  'secret_hash',
  'public_key',
  'description',
  'expires_at',
  'confirmed_at',
);
export const findPairing = pairings.find('identity_id', 'expires_at >');
export const findPairingBySecret = pairings.find('secret_hash', 'expires_at >');
export const setJoined = pairings.update(['id'], 'public_key', 'description');
export const setConfirmed = pairings.update(['id'], 'confirmed_at');
export const deletePairing = pairings.delete('identity_id');
export const deleteExpiredPairings = pairings.delete('expires_at <');

/** Deletes browsers from an older copy of the database that have been removed since. */
export async function copyRemovedBrowsers(from: Db, to: Db): Promise<void> {
  if (!(await tableNames(from)).has('browsers')) return; // a database of an older version
  const kept = new Set(await column('id', from.selectFrom('browsers').select('id')));
  for (const id of await column('id', to.selectFrom('browsers').select('id'))) {
    if (!kept.has(id)) await deleteBrowser(to, id);
  }
  await sql`delete from pairings`.execute(to);
}
