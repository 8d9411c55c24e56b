import { closeSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { packPrices, packText, unpackPrices, unpackText } from './packed.ts';

/** The price of one interval, in euro per megawatt-hour. */
export type PricePoint = { start: number; end: number; eur_per_mwh: number };

/** The prices of an area on one market day, all from one source. */
export type PriceDay = {
  /** the market day, YYYY-MM-DD */
  date: string;
  /** in equal steps */
  points: readonly PricePoint[];
  source: string;
  isSimulated: boolean;
  fetchedAt: number;
  /** when to fetch it again because a finer resolution may exist; undefined when it is final */
  until?: number;
};

export type Rate = { currency: string; perEuro: number; date: string; source: string };

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

type DayRow = Pick<PriceDay, 'source' | 'fetchedAt'> & {
  start: number;
  stepMs: number;
  prices: Uint8Array;
  isSimulated: number;
};

type StoreOptions = {
  dataDir: string;
  /** called after a damaged file was moved aside */
  onDamaged(setAside: string): void;
};

export type PriceStore = ReturnType<typeof openPriceStore>;

export function openPriceStore({ dataDir, onDamaged }: StoreOptions) {
  const database = openOrReplace(join(dataDir, 'prices.db'), onDamaged);
  const days = query<DayRow>(
    database,
    `select start, step_ms as stepMs, prices, source, is_simulated as isSimulated, fetched_at as fetchedAt
     from days where eic = ? and date = ?`,
  );
  const documents = query<{ raw: Uint8Array | null }>(database, 'select raw from days where eic = ? and date = ?');
  const areas = query<{ eic: string }>(database, 'select distinct eic from days where date >= ?');
  const lastFetched = query<{ at: number | null }>(database, 'select max(fetched_at) as at from days');
  const rates = query<Rate>(database, 'select currency, per_euro as perEuro, date, source from rates');
  const saveDay = database.prepare(
    `insert or replace into days (eic, date, start, step_ms, prices, source, is_simulated, fetched_at, raw)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const saveRate = database.prepare(
    'insert or replace into rates (currency, per_euro, date, source) values (?, ?, ?, ?)',
  );

  return {
    findDay(eic: string, date: string): PriceDay | undefined {
      const [row] = days(eic, date);
      if (!row) return undefined;
      const { start, stepMs, prices, source, isSimulated, fetchedAt } = row;
      const points = unpackPrices(prices).map((eur_per_mwh, n) => ({
        start: start + n * stepMs,
        end: start + (n + 1) * stepMs,
        eur_per_mwh,
      }));
      return { date, points, source, isSimulated: isSimulated === 1, fetchedAt };
    },
    findRaw(eic: string, date: string): string | undefined {
      const [row] = documents(eic, date);
      return row?.raw ? unpackText(row.raw) : undefined;
    },
    saveDay(eic: string, { date, points, source, isSimulated, fetchedAt }: PriceDay, raw?: string): void {
      const [first] = points;
      if (!first) throw new RangeError('A day without prices cannot be stored.');
      const stepMs = first.end - first.start;
      const prices = packPrices(points.map(({ eur_per_mwh }) => eur_per_mwh));
      const packedRaw = raw === undefined ? null : packText(raw);
      saveDay.run(eic, date, first.start, stepMs, prices, source, isSimulated ? 1 : 0, fetchedAt, packedRaw);
    },
    /** Returns the EICs of areas with a day at or after this date. */
    areasSince: (date: string): string[] => areas(date).map(({ eic }) => eic),
    lastFetchedAt: (): number | undefined => lastFetched()[0]?.at ?? undefined,
    rates: (): Rate[] => rates().map((rate) => ({ ...rate })),
    saveRates(list: readonly Rate[]): void {
      for (const { currency, perEuro, date, source } of list) saveRate.run(currency, perEuro, date, source);
    },
    close: (): void => database.close(),
  };
}

/** Prepares a query; the type of its rows is that of the selected columns. */
function query<Row>(database: DatabaseSync, sql: string): (...values: string[]) => Row[] {
  const statement = database.prepare(sql);
  return (...values) => statement.all(...values) as Row[];
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

function migrate(database: DatabaseSync): void {
  database.exec('begin immediate');
  const version = query<{ user_version: number }>(database, 'pragma user_version')()[0]?.user_version ?? 0;
  if (version > migrations.length) {
    throw new DatabaseTooNew(
      'The price database was written by a newer Ohmstead. Start that version, or move prices.db away.',
    );
  }
  for (const step of migrations.slice(version)) database.exec(step);
  database.exec(`pragma user_version = ${migrations.length}`);
  database.exec('commit');
}
