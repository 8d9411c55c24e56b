import { hourMs } from '#contract/time.ts';
import type { Db } from './engine.ts';
import { setDisabled, setSignedOut } from './identities.ts';
import { sql } from './kysely.ts';
import { tableNames } from './migrate.ts';
import { copyOAuthWithdrawals } from './oauth.ts';
import { cached } from './query-cache.ts';
import type { SigningKeyRow } from './schema.ts';
import { readSetting, writeSetting } from './settings.ts';
import { table } from './table.ts';

const challenges = table('used_challenges');
const revoked = table('revoked_tokens');
const signingKeys = table('signing_keys');
const tickets = table('stream_tickets');

const findRevoked = revoked.find('jti');

/** Marks a challenge as used. Returns true the first time only. */
export const useChallenge = challenges.insertNew();

export const revokeToken = revoked.insertNew();

export const isRevoked = async (db: Db, jti: string): Promise<boolean> => (await findRevoked(db, jti)) !== undefined;

export const listSigningKeys = signingKeys.list([], 'created_at', 'kid');
export const insertSigningKey = signingKeys.insert();
export const moveSigningKey = signingKeys.update(['kid'], 'stage', 'expires_at');

export async function replaceSigningKeys(db: Db, keys: readonly SigningKeyRow[]): Promise<void> {
  await db.deleteFrom('signing_keys').execute();
  for (const key of keys) await insertSigningKey(db, key);
}

export async function isSigningKey(db: Db, kid: string): Promise<boolean> {
  const kids = await cached(db, 'signing keys', async () => (await listSigningKeys(db)).map((key) => key.kid));
  return kids.includes(kid);
}

/** Deletes the signing keys, stream tickets and OAuth records, which signs out every person and application. */
export async function deleteIssuedTokens(db: Db): Promise<void> {
  for (const table of ['signing_keys', 'stream_tickets', 'oauth_records'] as const) {
    await db.deleteFrom(table).execute();
  }
}

const maxClockStepMs = 2 * hourMs; // a clock set back by less does not make used or revoked tokens valid again

/** Deletes used challenges, revoked tokens and signing keys that have expired. */
export async function deleteExpiredTokens(db: Db, now: number): Promise<void> {
  await challenges.delete('expires_at <')(db, now - maxClockStepMs);
  await revoked.delete('expires_at <')(db, now - maxClockStepMs);
  await signingKeys.delete('expires_at <')(db, now);
}

const versionSetting = 'access_version';

/** Increments and returns the access version, which every process watches. */
export async function bumpAccessVersion(db: Db): Promise<number> {
  await sql`insert into settings (name, value) values (${versionSetting}, '1')
    on conflict (name) do update set value = cast(cast(settings.value as integer) + 1 as text)`.execute(db);
  return readAccessVersion(db);
}

export const readAccessVersion = async (db: Db): Promise<number> =>
  Number((await readSetting(db, versionSetting)) ?? 0);

/** Raises the version beyond both databases', by more than they can reach while one replaces the other. */
export async function raiseAccessVersion(db: Db, past: number): Promise<void> {
  await writeSetting(db, versionSetting, String(Math.max(await readAccessVersion(db), past) + 1000));
}

/** Copies revoked tokens, used challenges and disabled identities into an older copy of the database. */
export async function copyRevocations(from: Db, to: Db): Promise<void> {
  const disabled = from.selectFrom('identities').where('disabled_at', 'is not', null).select(['id', 'disabled_at']);
  for (const { id, disabled_at } of await disabled.execute()) await setDisabled(to, id, disabled_at);
  await copySignOuts(from, to);
  for (const token of await from.selectFrom('revoked_tokens').selectAll().execute()) await revokeToken(to, token);
  for (const used of await from.selectFrom('used_challenges').selectAll().execute()) await useChallenge(to, used);
  if ((await tableNames(from)).has('oauth_records')) await copyOAuthWithdrawals(from, to); // the first versions had no such table
}

async function copySignOuts(from: Db, to: Db): Promise<void> {
  const columns = (await from.introspection.getTables()).find(({ name }) => name === 'identities')?.columns ?? [];
  if (!columns.some(({ name }) => name === 'signed_out_at')) return; // a database of an older version
  const out = from.selectFrom('identities').where('signed_out_at', 'is not', null).select(['id', 'signed_out_at']);
  for (const { id, signed_out_at } of await out.execute()) await setSignedOut(to, id, signed_out_at);
}

export const insertTicket = tickets.insert();
export const deleteExpiredTickets = tickets.delete('expires_at <');
export const takeTicket = tickets.take('id');
