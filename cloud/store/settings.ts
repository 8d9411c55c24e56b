import type { RawBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import type { Store } from './store.ts';
import { table } from './table.ts';

const find = table('settings').find('name');

export const readSetting = async (db: Db, name: string): Promise<string | undefined> => (await find(db, name))?.value;

/** Sets a value; `replacement` computes it from an existing one. */
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

/** Returns the value of a setting that the first process to start creates. */
export const ensureSetting = (store: Pick<Store, 'write'>, name: string, make: () => string): Promise<string> =>
  store.write(async ({ db }) => {
    const known = await readSetting(db, name);
    if (known !== undefined) return known;
    const value = make();
    await writeSetting(db, name, value);
    return value;
  });
