import type { DatabaseSync } from 'node:sqlite';
import type { WriteTables } from '../tables.ts';
import { writeTables } from './tables.ts';

const changing = [
  'dropHot',
  'putChunk',
  'dropChunks',
  'putNewestSealed',
  'dropNewestSealed',
  'raiseState',
  'putState',
] as const;

/** A call of one of the methods that change tables. */
export type Change = { method: (typeof changing)[number]; args: unknown[] };

/** Tables that are read as they are, while their changes are only noted, for another thread to make. */
export function notingTables(database: DatabaseSync, note: (change: Change) => void): WriteTables {
  const noted = changing.map((method) => [method, async (...args: unknown[]): Promise<void> => note({ method, args })]);
  return { ...writeTables(database), ...(Object.fromEntries(noted) as Pick<WriteTables, (typeof changing)[number]>) };
}

export async function makeChanges(tables: WriteTables, changes: readonly Change[]): Promise<void> {
  for (const { method, args } of changes) await (tables[method] as (...args: unknown[]) => Promise<void>)(...args);
}
