import { join } from 'node:path';
import { openDatabase, query } from './database.ts';
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
  const database = openDatabase(join(dataDir, 'prices.db'), migrations, onDamaged);
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
