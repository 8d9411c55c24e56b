import { closeSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { packPrices, packText, unpackPrices, unpackText } from './packed.ts';

/** A market day: prices in equal steps from its start. */
export type StoredDay = {
  eic: string;
  date: string;
  start: number;
  stepMs: number;
  prices: readonly number[];
  source: string;
  isSimulated: boolean;
  fetchedAt: number;
};

export type StoredRate = { currency: string; perEuro: number; date: string; source: string };

/** Persistent cache of fetched prices and exchange rates. */
export type PriceStore = {
  findDay(eic: string, date: string): StoredDay | undefined;
  findRaw(eic: string, date: string): string | undefined;
  saveDay(day: StoredDay, raw?: string): void;
  /** Returns the EICs of areas with a day at or after this date. */
  areasSince(date: string): string[];
  lastFetchedAt(): number | undefined;
  rates(): StoredRate[];
  saveRates(rates: readonly StoredRate[]): void;
  close(): void;
};

/** In the order in which they are applied. Append only: a released migration never changes. */
const migrations = [
  `create table days (
     eic text not null,
     date text not null,
     start integer not null,
     step_ms integer not null,
     prices blob not null,
     source text not null,
     is_simulated integer not null,
     fetched_at integer not null,
     raw blob,
     primary key (eic, date)
   ) strict;
   create table rates (
     currency text primary key,
     per_euro real not null,
     date text not null,
     source text not null
   ) strict;`,
];

type DayRow = {
  start: number;
  step_ms: number;
  prices: Uint8Array;
  source: string;
  is_simulated: number;
  fetched_at: number;
};

type StoreOptions = {
  dataDir: string;
  /** called after a damaged file was moved aside */
  onDamaged(setAside: string): void;
};

export function openPriceStore({ dataDir, onDamaged }: StoreOptions): PriceStore {
  const database = openOrReplace(join(dataDir, 'prices.db'), onDamaged);
  const findDay = database.prepare(
    'select start, step_ms, prices, source, is_simulated, fetched_at from days where eic = ? and date = ?',
  );
  const findRaw = database.prepare('select raw from days where eic = ? and date = ?');
  const saveDay = database.prepare(
    `insert or replace into days (eic, date, start, step_ms, prices, source, is_simulated, fetched_at, raw)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const areasSince = database.prepare('select distinct eic from days where date >= ?');
  const lastFetchedAt = database.prepare('select max(fetched_at) as at from days');
  const rates = database.prepare('select currency, per_euro as perEuro, date, source from rates');
  const saveRate = database.prepare(
    'insert or replace into rates (currency, per_euro, date, source) values (?, ?, ?, ?)',
  );

  return {
    findDay(eic, date) {
      const row = findDay.get(eic, date) as DayRow | undefined;
      return (
        row && {
          eic,
          date,
          start: row.start,
          stepMs: row.step_ms,
          prices: unpackPrices(row.prices),
          source: row.source,
          isSimulated: row.is_simulated === 1,
          fetchedAt: row.fetched_at,
        }
      );
    },
    findRaw(eic, date) {
      const row = findRaw.get(eic, date) as { raw: Uint8Array | null } | undefined;
      return row?.raw ? unpackText(row.raw) : undefined;
    },
    saveDay({ eic, date, start, stepMs, prices, source, isSimulated, fetchedAt }, raw) {
      const packedRaw = raw === undefined ? null : packText(raw);
      saveDay.run(eic, date, start, stepMs, packPrices(prices), source, isSimulated ? 1 : 0, fetchedAt, packedRaw);
    },
    areasSince: (date) => areasSince.all(date).map(({ eic }) => eic as string),
    lastFetchedAt: () => (lastFetchedAt.get() as { at: number | null }).at ?? undefined,
    rates: () => rates.all().map((row) => ({ ...row }) as StoredRate),
    saveRates(list) {
      for (const { currency, perEuro, date, source } of list) saveRate.run(currency, perEuro, date, source);
    },
    close: () => database.close(),
  };
}

const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Opens the database; moves a damaged file aside and starts a new one, because its days can be fetched again. */
function openOrReplace(file: string, onDamaged: (setAside: string) => void): DatabaseSync {
  try {
    return open(file);
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
    if (code !== sqliteCorrupt && code !== sqliteNotADatabase) throw error;
    const setAside = `${file}.damaged`;
    renameSync(file, setAside);
    onDamaged(setAside);
    return open(file);
  }
}

function open(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600)); // SQLite creates its other files with this mode
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('pragma page_size = 16384'); // a day takes about 800 bytes, which wastes much of a 4096-byte page
    // Days lost in a power cut are fetched again, so a commit need not wait for the disk.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Applies missing migrations in one transaction. */
function migrate(database: DatabaseSync): void {
  database.exec('begin immediate');
  const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number };
  if (version > migrations.length) {
    throw new DatabaseTooNew(
      'The price database was written by a newer Ohmstead. Start that version, or move prices.db away.',
    );
  }
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`pragma user_version = ${migrations.length}`);
  database.exec('commit');
}
