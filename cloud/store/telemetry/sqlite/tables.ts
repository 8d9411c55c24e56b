import type { DatabaseSync } from 'node:sqlite';
import { hourMs, minuteMs } from '#contract/time.ts';
import { onlyRow, prepare, prepareArrays, type Statement } from '../../sqlite-statements.ts';
import type { HotRow } from '../readings.ts';
import * as common from '../tables.ts';
import type { Sample } from '../telemetry-store.ts';

const endOfTime = Number.MAX_SAFE_INTEGER;

/** A hot row as an array: at, received, body. */
type HotTuple = [at: number, received: number, body: string];

/** Selects the minutes from `:first` to `:last` that have hot rows, by skipping over the others in the index. */
export const hotSlots = `with recursive slots (minute) as (
       select min(minute) from samples where minute >= :first
       union all
       select (select min(minute) from samples where minute > slots.minute) from slots where minute < :last
     )`;

/** The methods run synchronously: nothing else happens on the connection between two of them. */
export function readTables(database: DatabaseSync): common.ReadTables {
  const hot = prepareArrays<HotTuple>(
    database,
    `${hotSlots}
     select at, received, body from slots
       cross join samples on samples.minute = slots.minute and der = :der and at >= :since and at < :until
       cross join bodies using (seq)
     where received > :received
     limit :most`,
  );
  const hotOf = (parameters: Record<string, number>): HotRow[] =>
    hot.all(parameters).map(([at, received, body]) => ({ at, received, body }));
  const newestHot = findNewestHot(database);
  const late = prepareArrays<HotTuple>(
    database,
    `select at, received, body from samples cross join bodies using (seq)
     where der = ? and received > ? and at < received / 1000 - 3600000`,
  );
  const inRanges = 'from chunks where der = ? and tier = ? and start >= ? and start < ? order by start';
  const chunks = prepare<common.Chunk>(database, `select tier, start, body ${inRanges}`);
  const chunkSizes = prepare<common.ChunkSize>(database, `select tier, start, length(body) as bytes ${inRanges}`);
  const newestSealed = prepare<common.SealedSample>(database, 'select der, at, body from newest_sealed where der = ?');
  const hotRows: common.ReadTables['hotRows'] = async (der, since, to, most = -1) =>
    hotOf({ ...hotRange(der, since, to), most, received: -1 });
  const { state } = common.commonTables(runOn(database));
  return {
    hotRows,
    newestHot: async (ders) => newestHot(ders),
    hotAfter: async (ders, received, limits) => {
      const samples: Sample[] = [];
      let bytes = 0;
      const isWithin = (sample: Sample): boolean => {
        samples.push(sample);
        bytes += Buffer.byteLength(sample.body);
        return samples.length <= limits.samples && bytes <= limits.bytes;
      };
      for (const der of ders) {
        const since = Math.floor(received / 1000) - hourMs;
        const range = { ...hotRange(der, since, endOfTime), most: -1, received };
        for (const [at, arrived, body] of hot.iterate(range)) {
          const isLate = at < Math.floor(arrived / 1000) - hourMs;
          if (!isLate && !isWithin({ der, at, received: arrived, body })) return undefined;
        }
        for (const [at, arrived, body] of late.iterate(der, received)) {
          if (!isWithin({ der, at, received: arrived, body })) return undefined;
        }
      }
      return received < (await state('replayable_after')) ? undefined : samples;
    },
    chunks: async (der, ranges) =>
      ranges.flatMap(({ tier, from, to }) => chunks.all(der, tier, from, Math.min(to, endOfTime))),
    chunkSizes: async (der, ranges) =>
      ranges.flatMap(({ tier, from, to }) => chunkSizes.all(der, tier, from, Math.min(to, endOfTime))),
    newestSealed: async (ders) => ders.flatMap((der) => newestSealed.all(der)),
  };
}

/** Selects the newest minutes that have hot rows, at most `:most`. */
const newestSlots = `with recursive slots (minute, place) as (
       select max(minute), 1 from samples
       union all
       select (select max(minute) from samples where minute < slots.minute), place + 1
       from slots where minute is not null and place < :most
     )`;

const usualSlots = 256; // more than the hot minutes of a platform that seals in time
const manyDers = 50; // from here on, one scan of all hot rows costs less than a walk for each DER

/**
 * Returns the newest hot row of each DER that has one. Searches the newest minutes first, where active DERs are found
 * quickly. One gateway can have rows in any minute of a month, so many missing DERs share one scan of the hot rows.
 */
function findNewestHot(database: DatabaseSync): (ders: readonly number[]) => Sample[] {
  const walk = prepare<Sample>(
    database,
    `${newestSlots}
     select der, at, received, body from slots
       cross join samples on samples.minute = slots.minute and der = :der and at =
         (select max(at) from samples where samples.minute = slots.minute and der = :der)
       cross join bodies using (seq)
     limit 1`,
  );
  const countSlots = prepare<{ slots: number }>(database, `${newestSlots} select count(minute) as slots from slots`);
  const scan = prepare<Sample>(
    database,
    `select samples.der, samples.at, received, body
     from (select der, max(at) as at from samples where der in (select value from json_each(?)) group by der) newest
       cross join samples on samples.minute = newest.at / 60000 and samples.der = newest.der and samples.at = newest.at
       cross join bodies using (seq)`,
  );
  const walkFor = (ders: readonly number[], most: number): Sample[] => ders.flatMap((der) => walk.all({ der, most }));

  return (ders) => {
    const recent = walkFor(ders, usualSlots);
    const found = new Set(recent.map(({ der }) => der));
    const missing = ders.filter((der) => !found.has(der));
    if (missing.length === 0) return recent;
    const { slots } = onlyRow(countSlots, { most: usualSlots });
    if (slots < usualSlots) return recent;
    const others = missing.length < manyDers ? walkFor(missing, endOfTime) : scan.all(JSON.stringify(missing));
    return [...recent, ...others];
  };
}

export function writeTables(database: DatabaseSync): common.WriteTables {
  const dropHot = database.prepare(
    `${hotSlots}
     delete from samples where der = :der and at >= :since and at < :until and minute in slots
       and received > :after and received <= :by`,
  );
  return {
    ...readTables(database),
    ...common.commonTables(runOn(database)),
    dropHot: async (der, from, to, arrived) => void dropHot.run({ ...hotRange(der, from, to), ...arrived }),
  };
}

function runOn(database: DatabaseSync): common.RunStatement {
  const statements = new Map<string, Statement<never>>();
  return async (name, sql, values = {}) => {
    const statement = statements.get(name) ?? prepare(database, sql);
    statements.set(name, statement);
    return statement.all(values);
  };
}

// Minutes are computed here: SQLite receives numbers as reals, and 7 / 2 would be 3.5 there.
export function hotRange(der: number, since: number, to: number) {
  const until = Math.min(to, endOfTime);
  return { der, since, until, first: Math.floor(since / minuteMs), last: Math.floor((until - 1) / minuteMs) };
}

const changing = [
  'dropHot',
  'putChunk',
  'dropChunks',
  'putNewestSealed',
  'dropNewestSealed',
  'raiseState',
  'putState',
] as const;

/** A call of a method that changes tables. */
export type TableChange = { method: (typeof changing)[number]; args: unknown[] };

/** Returns tables that read the database and record changes, for another thread to apply. */
export function recordingTables(database: DatabaseSync, record: (change: TableChange) => void): common.WriteTables {
  const tables = writeTables(database);
  for (const method of changing) tables[method] = async (...args: unknown[]) => record({ method, args });
  return tables;
}

export async function applyChanges(tables: common.WriteTables, changes: readonly TableChange[]): Promise<void> {
  for (const { method, args } of changes) await Reflect.apply(tables[method], tables, args);
}
