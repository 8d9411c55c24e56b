import type { Db } from './engine.ts';
import type { Store } from './store.ts';
import { table } from './table.ts';

const find = table('settings').find('name');
const save = table('settings').save(['name'], 'value');

export const readSetting = async (db: Db, name: string): Promise<string | undefined> => (await find(db, name))?.value;

export async function writeSetting(db: Db, name: string, value: string): Promise<void> {
  await save(db, { name, value });
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
