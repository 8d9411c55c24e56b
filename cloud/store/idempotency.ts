import type { Db } from './engine.ts';
import { prepared, takeFirst } from './prepared.ts';

export type StoredAnswer = { request_hash: string; status: number; body: string };

const find = prepared((db, { caller, key }: { caller: string; key: string }) =>
  db
    .selectFrom('idempotency')
    .where('caller', '=', caller)
    .where('key', '=', key)
    .select(['request_hash', 'status', 'body']),
);

export const findAnswer = (db: Db, caller: string, key: string): Promise<StoredAnswer | undefined> =>
  takeFirst(find(db, { caller, key }));

type AnswerRow = StoredAnswer & { caller: string; key: string; created_at: number };

const insert = prepared((db, { caller, key, request_hash, status, body, created_at }: AnswerRow) =>
  db.insertInto('idempotency').values({ caller, key, request_hash, status, body, created_at }),
);

export async function storeAnswer(
  db: Db,
  caller: string,
  key: string,
  answer: StoredAnswer,
  now: number,
): Promise<void> {
  await insert(db, { caller, key, ...answer, created_at: now });
}

export async function deleteOldAnswers(db: Db, before: number): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<', before).execute();
}
