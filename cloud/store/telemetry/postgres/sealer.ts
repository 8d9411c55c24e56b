import { parentPort, workerData } from 'node:worker_threads';
import type { PoolClient } from 'pg';
import { hourMs, minuteMs } from '#contract/time.ts';
import { undefinedIf } from '#lib/error-code.ts';
import { createPool } from '../../pool.ts';
import { closedAfterMs, lastClosed, nothingSealed } from '../sealing.ts';
import {
  createSealDue,
  eraseDer,
  forgetBefore,
  raiseFloor,
  type Sealed,
  type Sealer,
  type Transact,
} from '../sealing-run.ts';
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

/**
 * Seals the partitions that no other process works on. All processes go through them in the same order, another one each
 * minute, so that the last ones are the same for all. They take turns at these, one at a time and half of what is due: none is
 * left with several partitions when the others have finished.
 */
async function sealOn(server: ServerPool, parts: readonly number[], now: number): Promise<SealReport> {
  const moveFailures: unknown[] = []; // of moves that were interrupted
  const failures: unknown[] = [];
  const first = Math.floor(now / minuteMs) % parts.length;
  const waiting = [...parts.slice(first), ...parts.slice(0, first)];
  const lastOnes = Math.ceil(parts.length / 8);
  let report = nothingSealed;
  let skipped = 0; // of the last partitions, in a row

  const sealNext = async (part: number, share: number): Promise<void> => {
    const { moving_to, leftovers_on } = partitions.find(part);
    if (moving_to !== null || leftovers_on !== null)
      await settlePartition(partitions, part).catch((error: unknown) => moveFailures.push(error));
    if (partitions.serverOf(part) !== server) return;
    const sealed = await onPartition(part, (client) => sealPartition(client, part, now, share));
    if (sealed) report = addReports(report, sealed);
    skipped = sealed ? 0 : skipped + 1;
    if (share < 1 && !sealed?.isDone) waiting.push(part);
  };
  const sealSome = async (_: unknown, worker: number): Promise<void> => {
    while (failures.length < partitionsAtOnce && waiting.length > (worker === 0 ? 0 : lastOnes)) {
      const isLast = waiting.length <= lastOnes;
      if (isLast && skipped > waiting.length) return; // other processes have all of them
      await sealNext(waiting.shift()!, isLast ? 0.5 : 1).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: partitionsAtOnce }, sealSome));
  const [failure] = [...failures, ...moveFailures];
  if (failure) throw failure;
  return report;
}

const addReports = (one: SealReport, other: SealReport): SealReport => ({
  chunks: one.chunks + other.chunks,
  readings: one.readings + other.readings,
  setAside: [...one.setAside, ...other.setAside],
});

const sharedMs = 30_000; // within which another process need not sort a partition again

/** Sorts what arrived, and seals what is due, or a share of it. */
async function sealPartition(client: PoolClient, part: number, now: number, share: number): Promise<Sealed> {
  const known = progress.get(part) ?? { sealDue: createSealDue(), sortedAt: -1, walkAt: 0 };
  progress.set(part, known);
  const tables = writeTables(client, part);
  const sortedAt = await tables.state('sorted_at');
  if (sortedAt !== known.sortedAt && Math.abs(now - sortedAt) < sharedMs) return { ...nothingSealed, isDone: true };
  const isDue = await isSortingDue(client, part, now);
  const oldest = isDue ? await sortRecent(client, part) : Number.POSITIVE_INFINITY;
  const before = lastClosed(hourMs, now) + 1;
  const sealed = { ...nothingSealed, isDone: true };
  if (now >= known.walkAt || oldest < before) {
    let due = 0;
    const listHotHours = async (): Promise<DerTime[]> => {
      const hours = await hotHours(client, part, before);
      due = hours.length;
      return hours;
    };
    const transact = transactOn(client, part, { waitsForDisk: false }); // undone, the readings are hot again and sealed later
    Object.assign(sealed, await known.sealDue({ transact, hotHours: listHotHours }, now, share));
    // Rows that arrived recently are not sealed yet. Without any, the next ones are due when the next hour is closed.
    known.walkAt = due === 0 ? lastClosed(hourMs, now) + 2 * hourMs + closedAfterMs : 0;
  }
  if (sealed.isDone && (isDue || sealed.chunks > 0)) {
    await tables.putState('sorted_at', now);
    known.sortedAt = now;
  }
  return sealed;
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
