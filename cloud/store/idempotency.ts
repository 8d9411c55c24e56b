import type { Db } from './engine.ts';

export type StoredAnswer = { request_hash: string; status: number; body: string };

export const findAnswer = (db: Db, caller: string, key: string): Promise<StoredAnswer | undefined> =>
  db
    .selectFrom('idempotency')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .select(['request_hash', 'status', 'body'])
    .executeTakeFirst();

export async function storeAnswer(
  db: Db,
  caller: string,
  key: string,
  answer: StoredAnswer,
  now: number,
): Promise<void> {
  await db
    .insertInto('idempotency')
    .values({ caller, key, ...answer, created_at: now })
    .execute();
}

export async function forgetAnswers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<', before).execute();
}
