import { join } from 'node:path';
import { openDatabase, query } from './database.ts';

/** The carbon intensities of a UTC day as they were last fetched. */
export type CarbonDay = {
  /** start of the day */
  start: number;
  /** 24 intensities in g/kWh; undefined when not known */
  hours: readonly (number | undefined)[];
  fetchedAt: number;
};

export const hoursPerDay = 24;

/** In the order in which they are applied. Append only: a released migration never changes. */
const migrations = [
  `create table days (
     source text not null,
     area text not null,
     start integer not null,
     hours blob not null,
     fetched_at integer not null,
     primary key (source, area, start)
   ) strict, without rowid;`,
];

type DayRow = Omit<CarbonDay, 'hours'> & { hours: Uint8Array };

type StoreOptions = {
  dataDir: string;
  /** called after a damaged file was moved aside */
  onDamaged(setAside: string): void;
};

export function openCarbonStore({ dataDir, onDamaged }: StoreOptions) {
  const database = openDatabase(join(dataDir, 'carbon.db'), migrations, onDamaged);
  const days = query<DayRow>(
    database,
    `select start, hours, fetched_at as fetchedAt from days
     where source = ? and area = ? and start >= ? and start < ? order by start`,
  );
  const saveDay = database.prepare(
    'insert or replace into days (source, area, start, hours, fetched_at) values (?, ?, ?, ?, ?)',
  );

  return {
    /** Returns the stored days that begin in a range, in order of time. */
    find: (source: string, area: string, from: number, to: number): CarbonDay[] =>
      days(source, area, from, to).map(({ start, hours, fetchedAt }) => ({ start, hours: unpack(hours), fetchedAt })),
    save(source: string, area: string, list: readonly CarbonDay[]): void {
      database.exec('begin immediate');
      try {
        for (const { start, hours, fetchedAt } of list) saveDay.run(source, area, start, pack(hours), fetchedAt);
        database.exec('commit');
      } catch (error) {
        if (database.isTransaction) database.exec('rollback'); // SQLite itself rolls back when the disk is full
        throw error;
      }
    },
    close: (): void => database.close(),
  };
}

const perGram = 10; // intensities are stored in tenths of a gram
const unknownValue = 0xffff;

export const roundIntensity = (grams: number): number => Math.round(grams * perGram) / perGram;

function pack(hours: CarbonDay['hours']): Uint8Array {
  const packed = Buffer.alloc(2 * hoursPerDay);
  for (let hour = 0; hour < hoursPerDay; hour++) {
    const grams = hours[hour];
    packed.writeUInt16LE(grams === undefined ? unknownValue : Math.round(grams * perGram), 2 * hour);
  }
  return packed;
}

function unpack(packed: Uint8Array): (number | undefined)[] {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: hoursPerDay }, (_, hour) => {
    const value = view.readUInt16LE(2 * hour);
    return value === unknownValue ? undefined : value / perGram;
  });
}
