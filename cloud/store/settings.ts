import { type RawBuilder, sql } from 'kysely';
import { prepared } from './prepared.ts';
import type { Db } from './store.ts';

const byName = prepared((db, { name }: { name: string }) =>
  db.selectFrom('settings').where('name', '=', name).select('value'),
);

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const [row] = await byName(db, { name });
  return row?.value;
}

/** Sets a value; `replacement` is what an existing one becomes instead. */
export async function writeSetting(
  db: Db,
  name: string,
  value: string,
  replacement?: RawBuilder<string>,
): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: replacement ?? sql<string>`excluded.value` }),
    )
    .execute();
}
