import { closeSync, openSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseTooNew } from '#lib/database-too-new.ts';

const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Opens a database; moves a damaged file aside and starts a new one, because its days can be fetched again. */
export function openDatabase(
  file: string,
  migrations: readonly string[],
  onDamaged: (setAside: string) => void,
): DatabaseSync {
  try {
    return open(file, migrations);
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    if (code !== sqliteCorrupt && code !== sqliteNotADatabase) throw error;
    const setAside = `${file}.damaged`;
    renameSync(file, setAside);
    onDamaged(setAside);
    return open(file, migrations);
  }
}

function open(file: string, migrations: readonly string[]): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600)); // SQLite creates its other files with this mode
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma page_size = 16384'); // a day takes about 800 bytes, which wastes much of a 4096-byte page
    // Days lost in a power cut are fetched again, so a commit need not wait for the disk.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    migrate(database, file, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function migrate(database: DatabaseSync, file: string, migrations: readonly string[]): void {
  database.exec('begin immediate');
  const version = query<{ user_version: number }>(database, 'pragma user_version')()[0]?.user_version ?? 0;
  if (version > migrations.length) {
    throw new DatabaseTooNew(
      `${basename(file)} was written by a newer Ohmstead. Start that version, or move the file away.`,
    );
  }
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`pragma user_version = ${migrations.length}`);
  database.exec('commit');
}

/** Prepares a query; the type of its rows is that of the selected columns. */
export function query<Row>(database: DatabaseSync, sql: string): (...values: (string | number)[]) => Row[] {
  const statement = database.prepare(sql);
  return (...values) => statement.all(...values) as Row[];
}
