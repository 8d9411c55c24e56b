import { parentPort, workerData } from 'node:worker_threads';
import type { PoolClient } from 'pg';
import { hourMs } from '#contract/time.ts';
import { undefinedIf } from '#lib/error-code.ts';
import { createPool } from '../../pool.ts';
import { closedAfterMs, lastClosed, nothingSealed } from '../sealing.ts';
import { createSealDue, eraseDer, forgetBefore, raiseFloor, type Sealer, type Transact } from '../sealing-run.ts';
import type { DerTime } from '../tables.ts';
import type { Retention, SealReport } from '../telemetry-store.ts';
import { serveCalls } from '../threads.ts';
import { settlePartition, withPartitionLock } from './move.ts';
import { isMissingTable, PartitionMap, type ServerPool, type TelemetryServer } from './partitions.ts';
import { isSortingDue, sortRecent } from './sort.ts';
import { tableNames, writeTables } from './tables.ts';
import { inTransaction } from './transaction.ts';

export type SealerOptions = { servers: readonly TelemetryServer[]; retention: Retention };

const { servers, retention }: SealerOptions = workerData;
const partitionsAtOnce = 4; // of each server: this thread computes for one while PostgreSQL works for the others
// A connection for each partition, which holds its lock, and two for what interrupted moves have left. They reconnect by themselves.
const places = servers.map(
  ({ name, url }): ServerPool => ({ name, reading: createPool(url, partitionsAtOnce + 2, () => {}) }),
);
const partitions = new PartitionMap(places);
let isClosing = false;

/** The progress of this process with a partition. */
type Progress = { sealDue: ReturnType<typeof createSealDue>; sortedAt: number; walkAt: number };

const progress = new Map<number, Progress>();

serveCalls<unknown>(parentPort, {
  seal: async (now) => {
    await partitions.refresh();
    const reports = await onEachServer((server, parts) => sealOn(server, parts, now));
    return reports.reduce(addReports, nothingSealed);
  },
  forget: async (now) => {
    await partitions.refresh();
    return Math.max(...(await onEachServer((server, parts) => forgetOn(server, parts, now))));
  },
  erase: async (ders) => {
    await partitions.refresh();
    for (const [part, some] of Map.groupBy(ders, partitions.partOf)) {
      const isErased = await onPartition(part, async (client) => {
        await sortRecent(client, part);
        for (const der of some) await eraseDer(transactOn(client, part), der);
        return true;
      });
      if (!isErased) return false;
    }
    return true;
  },
  close: async () => {
    isClosing = true;
    await Promise.all(places.map(({ reading }) => reading.end())); // waits for the work that is under way
  },
} satisfies Sealer);

/** Works on all servers at once. One that fails does not keep the others from their work. */
const onEachServer = <T>(work: (server: ServerPool, parts: number[]) => Promise<T>): Promise<T[]> =>
  allEnded(partitions.byServer().map(([server, parts]) => work(server, parts)));

/** Waits for all, even after one has failed. */
async function allEnded<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Runs work while no other process works on the partition; returns undefined when one does, when it has moved, or when this one closes. */
const onPartition = <T>(part: number, work: (client: PoolClient) => Promise<T>): Promise<T | undefined> =>
  isClosing
    ? Promise.resolve(undefined)
    : withPartitionLock(partitions.serverOf(part), part, work).catch(undefinedIf(isMissingTable));

/** Seals the partitions that no other process works on. Begins anywhere, so that processes share the work. */
async function sealOn(server: ServerPool, parts: readonly number[], now: number): Promise<SealReport> {
  const failures: unknown[] = []; // of moves that were interrupted
  const first = Math.floor(Math.random() * parts.length);
  const waiting = [...parts.slice(first), ...parts.slice(0, first)].values();
  const sealSome = async (): Promise<SealReport> => {
    let report = nothingSealed;
    for (const part of waiting) {
      const { moving_to, leftovers_on } = partitions.find(part);
      if (moving_to !== null || leftovers_on !== null)
        await settlePartition(partitions, part).catch((error: unknown) => failures.push(error));
      if (partitions.serverOf(part) !== server) continue;
      const more = await onPartition(part, (client) => sealPartition(client, part, now));
      report = addReports(report, more ?? nothingSealed);
    }
    return report;
  };
  const reports = await allEnded(Array.from({ length: partitionsAtOnce }, sealSome));
  if (failures.length > 0) throw failures[0];
  return reports.reduce(addReports, nothingSealed);
}

const addReports = (one: SealReport, other: SealReport): SealReport => ({
  chunks: one.chunks + other.chunks,
  readings: one.readings + other.readings,
  setAside: [...one.setAside, ...other.setAside],
});

const sharedMs = 30_000; // within which another process need not sort a partition again

/** Sorts what arrived, and seals what is due. */
async function sealPartition(client: PoolClient, part: number, now: number): Promise<SealReport> {
  const known = progress.get(part) ?? { sealDue: createSealDue(), sortedAt: -1, walkAt: 0 };
  progress.set(part, known);
  const tables = writeTables(client, part);
  const sortedAt = await tables.state('sorted_at');
  if (sortedAt !== known.sortedAt && Math.abs(now - sortedAt) < sharedMs) return nothingSealed;
  const isDue = await isSortingDue(client, part, now);
  const oldest = isDue ? await sortRecent(client, part) : Number.POSITIVE_INFINITY;
  if (isDue) {
    await tables.putState('sorted_at', now);
    known.sortedAt = now;
  }
  const before = lastClosed(hourMs, now) + 1;
  if (now < known.walkAt && oldest >= before) return nothingSealed;
  let isEmpty = true;
  const listHotHours = async (): Promise<DerTime[]> => {
    const due = await hotHours(client, part, before);
    isEmpty = due.length === 0;
    return due;
  };
  const transact = transactOn(client, part, { waitsForDisk: false }); // undone, the readings are hot again and sealed later
  const report = await known.sealDue({ transact, hotHours: listHotHours }, now);
  // Rows that arrived recently are not sealed yet. Without any, the next ones are due when the next hour is closed.
  known.walkAt = isEmpty ? lastClosed(hourMs, now) + 2 * hourMs + closedAfterMs : 0;
  return report;
}

const floorLock = -1;

/** Each server has a floor of its own, from the newest reading that is sealed there. */
async function forgetOn(server: ServerPool, parts: readonly number[], now: number): Promise<number> {
  const [anyPart = 0] = parts;
  const floor = await withPartitionLock(server, floorLock, (client) =>
    transactOn(client, anyPart)((tables) => raiseFloor(tables, now, retention)),
  );
  if (!floor) return writeTables(server.reading, anyPart).state('forgotten_before');
  for (const part of parts)
    await onPartition(part, (client) => forgetBefore(transactOn(client, part), floor, retention));
  return floor.rawFloor;
}

function transactOn(client: PoolClient, part: number, { waitsForDisk = true } = {}): Transact {
  const tables = writeTables(client, part);
  return (work) => inTransaction(client, () => work(tables), { waitsForDisk });
}

/** Walks the index from hour to hour, skipping the rows in between. */
async function hotHours(client: PoolClient, part: number, before: number): Promise<DerTime[]> {
  const { hot } = tableNames(part);
  const { rows } = await client.query<DerTime>(
    `with recursive walk as (
       (select der, at / $2 * $2 as at from ${hot} order by der, at limit 1)
       union all
       select next.der, next.at from walk cross join lateral
         (select der, at / $2 * $2 as at from ${hot}
          where (${hot}.der, ${hot}.at) >= (walk.der, walk.at + $2)
          order by ${hot}.der, ${hot}.at limit 1) next
     )
     select der, at from walk where at < $1`,
    [before, hourMs],
  );
  return rows;
}
