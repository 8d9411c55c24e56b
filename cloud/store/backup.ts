import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { retry } from '#lib/retry.ts';
import { damagedDatabase, explainDamage, isSqliteError } from './damage.ts';
import { onlyRow, prepare } from './sqlite-statements.ts';

export type RowCounts = Record<string, number>;

export type OnPagesCopied = (pages: { done: number; total: number }) => void;

const busyMs = 5000;
const pagesPerStep = 250; // 1 MB; onPages is called between steps and may stop the copy by throwing

/** Copies a consistent snapshot of a database that may be in use into a new file, and returns its row counts. */
export async function copyDatabase(from: string, to: string, onPages: OnPagesCopied): Promise<RowCounts> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  closeSync(openSync(to, 'wx', 0o600));
  using source = new DatabaseSync(from, { timeout: busyMs });
  try {
    // An open read transaction pins the snapshot: writers go on meanwhile, and the copy never has to start over.
    source.exec('pragma query_only = 1; begin');
    const rows = countRows(source);
    await backup(source, to, { rate: pagesPerStep, progress: toProgress(onPages) });
    removeWal(to);
    return rows;
  } catch (error) {
    throw explainDamage(from, error);
  }
}

/** Replaces the content of a database, in use or not, in one transaction; if `onPages` throws, the old one stays. */
export async function replaceDatabase(live: string, by: string, onPages: OnPagesCopied): Promise<void> {
  mkdirSync(dirname(live), { recursive: true, mode: 0o700 });
  closeSync(openSync(live, 'a', 0o600));
  using source = new DatabaseSync(by, { readOnly: true });
  await retry(() => backup(source, live, { rate: pagesPerStep, progress: toProgress(onPages) }), {
    attempts: 200,
    minDelayMs: 5,
    maxDelayMs: 100,
    shouldRetry: isTargetBusy,
  });
}

/** Checks every page of a database that is not in use, and returns its row counts. */
export function checkDatabase(file: string): RowCounts {
  using database = new DatabaseSync(file, { readOnly: true });
  try {
    const check = prepare<{ integrity_check: string }>(database, 'pragma integrity_check(1)');
    const { integrity_check: verdict } = onlyRow(check);
    if (verdict !== 'ok') throw damagedDatabase(file, verdict);
    return countRows(database);
  } catch (error) {
    throw explainDamage(file, error);
  }
}

function countRows(database: DatabaseSync): RowCounts {
  const tables = prepare<{ name: string }>(
    database,
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~' order by name`,
  );
  const counts: RowCounts = {};
  for (const { name } of tables.all()) {
    counts[name] = onlyRow(prepare<{ rows: number }>(database, `select count(*) as rows from "${name}"`)).rows;
  }
  return counts;
}

/** Makes the copy a single file without a write-ahead log beside it. */
function removeWal(file: string): void {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = delete');
  database.close();
  chmodSync(file, 0o600);
}

const toProgress =
  (onPages: OnPagesCopied) =>
  ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
    onPages({ done: totalPages - remainingPages, total: totalPages });

// Node reports a target that another connection is writing to as "not an error", number 0, instead of SQLITE_BUSY.
const isTargetBusy = (error: unknown): boolean => isSqliteError(error) && [0, 5].includes(error.errcode);
