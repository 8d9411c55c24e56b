import { hourMs } from '#contract/time.ts';
import type { Db } from './engine.ts';
import { setDisabled } from './identities.ts';
import { sql } from './kysely.ts';
import { tableNames } from './migrate.ts';
import { copyOAuthWithdrawals } from './oauth.ts';
import { prepared } from './prepared.ts';
import { cached } from './query-cache.ts';
import type { SigningKeyRow } from './schema.ts';
import { readSetting, writeSetting } from './settings.ts';

const use = prepared((db, { id, expires_at }: { id: string; expires_at: number }) =>
  db
    .insertInto('used_challenges')
    .values({ id, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Marks a challenge as used. Returns true the first time only. */
export async function useChallenge(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const used = await use(db, { id, expires_at: expiresAt });
  return used.length === 1;
}

export async function revokeToken(db: Db, jti: string, expiresAt: number): Promise<void> {
  await db
    .insertInto('revoked_tokens')
    .values({ jti, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const revoked = prepared((db, { jti }: { jti: string }) =>
  db.selectFrom('revoked_tokens').where('jti', '=', jti).select('jti'),
);

export async function isRevoked(db: Db, jti: string): Promise<boolean> {
  return (await revoked(db, { jti })).length > 0;
}

export const listSigningKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();

export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

export async function replaceSigningKeys(db: Db, keys: readonly SigningKeyRow[]): Promise<void> {
  await db.deleteFrom('signing_keys').execute();
  for (const key of keys) await insertSigningKey(db, key);
}

/** Returns whether tokens of this key are still accepted. */
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

export async function moveSigningKey(
  db: Db,
  kid: string,
  stage: SigningKeyRow['stage'],
  expiresAt: number | null,
): Promise<void> {
  await db.updateTable('signing_keys').set({ stage, expires_at: expiresAt }).where('kid', '=', kid).execute();
}

const maxClockStepMs = 2 * hourMs; // a clock set back by less does not make used or revoked tokens valid again

/** Deletes used challenges, revoked tokens and signing keys that have expired. */
export async function deleteExpiredTokens(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('used_challenges')
    .where('expires_at', '<', now - maxClockStepMs)
    .execute();
  await db
    .deleteFrom('revoked_tokens')
    .where('expires_at', '<', now - maxClockStepMs)
    .execute();
  await db.deleteFrom('signing_keys').where('expires_at', '<', now).execute();
}

const versionSetting = 'access_version';

/** Increments and returns the access version, which every process watches. */
export async function bumpAccessVersion(db: Db): Promise<number> {
  await writeSetting(db, versionSetting, '1', sql<string>`cast(cast(settings.value as integer) + 1 as text)`);
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
  for (const { jti, expires_at } of await from.selectFrom('revoked_tokens').selectAll().execute()) {
    await revokeToken(to, jti, expires_at);
  }
  for (const { id, expires_at } of await from.selectFrom('used_challenges').selectAll().execute()) {
    await useChallenge(to, id, expires_at);
  }
  if ((await tableNames(from)).has('oauth_records')) await copyOAuthWithdrawals(from, to); // the first versions had no such table
}

/** `caller` is JSON. */
type StreamTicket = { id: string; site_id: string; caller: string; expires_at: number };

export async function insertTicket(db: Db, ticket: StreamTicket): Promise<void> {
  await db.insertInto('stream_tickets').values(ticket).execute();
}

/** Deletes and returns the ticket. */
export const takeTicket = (db: Db, id: string): Promise<StreamTicket | undefined> =>
  db.deleteFrom('stream_tickets').where('id', '=', id).returningAll().executeTakeFirst();

export async function deleteExpiredTickets(db: Db, now: number): Promise<void> {
  await db.deleteFrom('stream_tickets').where('expires_at', '<', now).execute();
}
