import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { retry } from '#lib/retry.ts';
import { damaged, damageOf, isSqliteError } from './damage.ts';

export type RowCounts = Record<string, number>;

export type PagesCopied = (pages: { done: number; total: number }) => void;

const busyMs = 5000;
const pagesAtATime = 250; // 1 MB; between two steps the caller hears about it and may stop by throwing

/** Copies a database that may be in use into one new file, as it is at one moment, and tells its rows at that moment. */
export async function copyDatabase(from: string, to: string, onPages: PagesCopied): Promise<RowCounts> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  closeSync(openSync(to, 'wx', 0o600));
  const source = new DatabaseSync(from, { timeout: busyMs });
  try {
    // An open read keeps the copy at its moment: writers go on meanwhile, and it never has to start over.
    source.exec('pragma query_only = 1; begin');
    const rows = countRows(source);
    await backup(source, to, { rate: pagesAtATime, progress: tell(onPages) });
    withoutLog(to);
    return rows;
  } catch (error) {
    throw damageOf(from, error);
  } finally {
    source.close();
  }
}

/**
 * Makes one database the content of another that may be in use: one transaction, so others see the old or the new.
 * A throwing `onPages` leaves the old.
 */
export async function replaceDatabase(live: string, by: string, onPages: PagesCopied): Promise<void> {
  mkdirSync(dirname(live), { recursive: true, mode: 0o700 });
  closeSync(openSync(live, 'a', 0o600));
  const source = new DatabaseSync(by, { readOnly: true });
  try {
    await retry(() => backup(source, live, { rate: pagesAtATime, progress: tell(onPages) }), {
      attempts: 200,
      minDelayMs: 5,
      maxDelayMs: 100,
      shouldRetry: isTargetBusy,
    });
  } finally {
    source.close();
  }
}

/** Reads every page of a database at rest, and tells its rows. */
export function checkDatabase(file: string): RowCounts {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const { integrity_check: verdict } = database.prepare('pragma integrity_check(1)').get() as Record<string, string>;
    if (verdict !== 'ok') throw damaged(file, String(verdict));
    return countRows(database);
  } catch (error) {
    throw damageOf(file, error);
  } finally {
    database.close();
  }
}

function countRows(database: DatabaseSync): RowCounts {
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~' order by name`,
    )
    .all() as { name: string }[];
  return Object.fromEntries(
    tables.map(({ name }) => {
      const { rows } = database.prepare(`select count(*) as rows from "${name}"`).get() as { rows: number };
      return [name, rows];
    }),
  );
}

/** A copy at rest is one file: no write-ahead log beside it. */
function withoutLog(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = delete');
  database.close();
  chmodSync(file, 0o600);
}

const tell =
  (onPages: PagesCopied) =>
  ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
    onPages({ done: totalPages - remainingPages, total: totalPages });

// Node reports a target that another connection is writing to as "not an error", number 0, instead of SQLITE_BUSY.
const isTargetBusy = (error: unknown): boolean => isSqliteError(error) && [0, 5].includes(error.errcode);
