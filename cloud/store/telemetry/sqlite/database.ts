import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { onlyRow, prepare } from '../../sqlite-statements.ts';

const busyMs = 5000;

/** The migrations in the order they are applied. Append only: a released migration never changes. */
const migrations = [
  // By minute first: rows that arrive together are stored together, so that a batch dirties few pages.
  `create table samples (
     minute integer not null,
     der integer not null,
     at integer not null,
     received integer not null,
     seq integer not null,
     primary key (minute, der, at)
   ) without rowid, strict;
   -- samples that were received more than an hour late are found by when they were received
   create index late_samples on samples (der, received) where at < received / 1000 - 3600000;
   create table bodies (seq integer primary key, body text not null) strict;
   create table chunks (
     tier integer not null,
     der integer not null,
     start integer not null,
     body blob not null,
     primary key (tier, der, start)
   ) strict;
   create table newest_sealed (der integer primary key, at integer not null, body text not null) strict;
   create table state (name text primary key, value integer not null) strict;`,
];

export const telemetryFile = (dataDir: string): string => join(dataDir, 'telemetry.db');

export function openForWriting(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600)); // the files beside it take its mode
  const database = new DatabaseSync(file, { timeout: busyMs });
  database.exec('pragma auto_vacuum = incremental'); // takes effect only before anything is written
  // Checkpoints are rarer than by default, because pages change many times.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 4000;');
  database.exec('pragma cache_size = -32768');
  migrate(database);
  return database;
}

export function openForReading(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyMs });
  database.exec('pragma query_only = 1; pragma mmap_size = 1073741824;');
  return database;
}

function migrate(database: DatabaseSync): void {
  database.exec('begin immediate');
  try {
    const { user_version: version } = onlyRow(prepare<{ user_version: number }>(database, 'pragma user_version'));
    if (version > migrations.length) {
      throw new DatabaseTooNew(
        'The telemetry database was written by a newer Ohmstead. Start that version, or restore a backup.',
      );
    }
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`pragma user_version = ${migrations.length}`);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
