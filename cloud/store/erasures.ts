import type { Db } from './engine.ts';
import type { ErasureRow } from './schema.ts';

/** Notes that the telemetry of these DERs is to be erased; in the transaction that deletes them. */
export async function queueErasure(db: Db, numbers: readonly number[], now: number): Promise<void> {
  if (numbers.length === 0) return;
  await db
    .insertInto('erasures')
    .values(numbers.map((der_no) => ({ der_no, deleted_at: now })))
    .onConflict((conflict) => conflict.column('der_no').doNothing())
    .execute();
}

/** A page of the queue, after one of its numbers. */
export const listErasures = (db: Db, after: number, limit: number): Promise<ErasureRow[]> =>
  db.selectFrom('erasures').where('der_no', '>', after).selectAll().orderBy('der_no').limit(limit).execute();

export async function finishErasures(db: Db, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0) await db.deleteFrom('erasures').where('der_no', 'in', numbers).execute();
}
