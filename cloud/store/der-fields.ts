import type { Db } from './engine.ts';

const rowsAtOnce = 500; // SQLite and PostgreSQL limit the parameters of a statement

/** Returns the numbers of the DERs whose field names are kept. */
export async function listDersWithFields(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('der_fields').select('der_no').distinct().execute();
  return rows.map(({ der_no }) => der_no);
}

export async function listFieldNames(db: Db, der: number): Promise<string[]> {
  const rows = await db.selectFrom('der_fields').select('name').where('der_no', '=', der).execute();
  return rows.map(({ name }) => name);
}

/** Adds names to those that are kept. Does nothing for a DER that was deleted meanwhile. */
export async function addFieldNames(db: Db, der: number, names: readonly string[]): Promise<void> {
  const known = await db.selectFrom('ders').select('no').where('no', '=', der).executeTakeFirst();
  if (!known) return;
  for (let first = 0; first < names.length; first += rowsAtOnce) {
    const rows = names.slice(first, first + rowsAtOnce).map((name) => ({ der_no: der, name }));
    await db
      .insertInto('der_fields')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
