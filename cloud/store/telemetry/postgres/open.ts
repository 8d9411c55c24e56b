import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import type { Logger } from '#lib/log.ts';
import { createPool } from '../../pool.ts';
import { createQueries, createStore } from '../queries.ts';
import type { Sealer } from '../sealing-run.ts';
import type { ReadTables } from '../tables.ts';
import type { Retention, Sample, TelemetryStore } from '../telemetry-store.ts';
import { Thread } from '../threads.ts';
import { insertRecent } from './append.ts';
import { settlePartition } from './move.ts';
import { isMissingTable, mainServer, PartitionMap, type ServerPool, type TelemetryServer } from './partitions.ts';
import { prepareMainServer } from './schema.ts';
import type { SealerOptions } from './sealer.ts';
import { partitionedTables, readTables, writeTables } from './tables.ts';

export type PostgresTelemetryOptions = {
  /** the server of the registry */
  url: string;
  /** further servers for telemetry */
  servers?: readonly TelemetryServer[] | undefined;
  /** number of partitions of a new database */
  partitions?: number | undefined;
  retention: Retention;
  log: Logger;
};

const defaultPartitions = 64;

/**
 * The connections to one server. Incoming readings have some of their own, so that they do not wait for long queries.
 * `fence` is the version of its fence; undefined before the first readings.
 */
type Server = ServerPool & { appending: Pool; fence: number | undefined };

/** Opens telemetry in the database of the registry, and on further servers. A thread seals, so that the event loop does not wait for it. */
export async function openPostgresTelemetry(options: PostgresTelemetryOptions): Promise<TelemetryStore> {
  const { url, servers: others = [], partitions: count = defaultPartitions, retention, log } = options;
  await prepare(url, (client) => prepareMainServer(client, count, log));

  const named: TelemetryServer[] = [{ name: mainServer, url }, ...others];
  const openServer = ({ name, url: address }: TelemetryServer): Server => {
    const onLost = (error: Error): void => log.warn({ err: error, server: name }, 'telemetry database connection lost');
    return {
      name,
      reading: createPool(address, 6, onLost),
      appending: createPool(address, 2, onLost),
      fence: undefined,
    };
  };
  const servers = named.map(openServer);
  const partitions = new PartitionMap(servers);
  const sealer = new Thread<Sealer>({
    script: new URL('./sealer.ts', import.meta.url),
    given: () => ({ workerData: { servers: named, retention } satisfies SealerOptions }),
    onLost: (error) => log.error({ err: error, thread: 'sealer' }, 'telemetry thread ended unexpectedly'),
  });
  const close = async (): Promise<void> => {
    await sealer.close();
    await Promise.all(servers.flatMap(({ reading, appending }) => [reading.end(), appending.end()]));
  };
  const ask = createAsk(partitions);
  const serverOf = (der: number): string => partitions.serverOf(partitions.partOf(der)).name;
  try {
    await partitions.refresh();
    return createStore({
      append: createAppend(partitions),
      batching: { gatherMs: 15, enough: 1000 }, // a batch costs a row for each partition
      serverOf,
      queries: createQueries(partitionedTables({ partOf: partitions.partOf, serverOf, ask })),
      sealer: sealer.methods,
      forgottenBefore: await readFloor(partitions, log),
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prepares a server without a timeout: packing the rows of an earlier version may take long. */
async function prepare(url: string, work: (client: ClientBase) => Promise<void>): Promise<void> {
  const pool = createPool(url, 1, () => {}, 0);
  try {
    const client = await pool.connect();
    await work(client).finally(() => client.release());
  } finally {
    await pool.end();
  }
}

/** Returns the time before which readings are deleted on some server. One that does not answer does not prevent the start. */
async function readFloor(partitions: PartitionMap<Server>, log: Logger): Promise<number> {
  const floors = partitions.byServer().map(async ([{ name, reading }, [anyPart = 0]]) => {
    try {
      return await writeTables(reading, anyPart).state('forgotten_before');
    } catch (error) {
      if (name === mainServer) throw error;
      log.warn({ err: error, server: name }, 'a server of telemetry does not answer, its readings wait');
      return 0;
    }
  });
  return Math.max(...(await Promise.all(floors)));
}

const retryMs = 50;
const maxReadMs = 10_000;
const maxAppendMs = 30_000;

/** Asks the server of a partition, and the next one if the partition has moved. */
function createAsk(partitions: PartitionMap<Server>) {
  return async <Answer>(part: number, question: (tables: ReadTables) => Promise<Answer>): Promise<Answer> => {
    for (const deadline = performance.now() + maxReadMs; ; ) {
      try {
        return await question(readTables(partitions.serverOf(part).reading, part));
      } catch (error) {
        if (!isMissingTable(error) || performance.now() > deadline) throw error;
        await sleep(retryMs);
        await partitions.refresh();
      }
    }
  };
}

/** Inserts samples on the servers of their partitions. Those of a partition that is moving wait until it has arrived. */
function createAppend(partitions: PartitionMap<Server>): TelemetryStore['append'] {
  const { partOf } = partitions;
  const isFenced = ({ der }: Sample): boolean => partitions.find(partOf(der)).is_fenced;

  /** Returns the samples that the server refused because a partition has left it. */
  async function insert(server: Server, samples: readonly Sample[]): Promise<readonly Sample[]> {
    if (server.fence === undefined) return readFence(server, samples);
    const isInserted = await insertRecent(server.appending, samples, partOf, server.fence);
    return isInserted ? [] : readFence(server, samples);
  }

  /** Reads the version of the fence before the list of partitions: it rises after a partition is marked there. */
  async function readFence(server: Server, samples: readonly Sample[]): Promise<readonly Sample[]> {
    const { rows } = await server.appending.query<{ version: number }>('select version from telemetry_fence');
    await partitions.refresh();
    server.fence = rows[0]?.version;
    return samples;
  }

  return async (samples) => {
    let waiting = samples;
    for (const deadline = performance.now() + maxAppendMs; ; ) {
      const ready = waiting.filter((sample) => !isFenced(sample));
      const byServer = Map.groupBy(ready, ({ der }) => partitions.serverOf(partOf(der)));
      const fenced = waiting.filter(isFenced);
      const refused = await Promise.all([...byServer].map(([server, some]) => insert(server, some)));
      waiting = [...fenced, ...refused.flat()];
      if (waiting.length === 0) return [];
      if (performance.now() > deadline)
        throw Object.assign(
          new Error('A partition of telemetry is being moved, and has accepted no readings for 30 s.'),
          {
            code: 'ETIMEDOUT',
          },
        );
      if (fenced.length === 0) continue;
      await sleep(retryMs);
      for (const part of new Set(fenced.map(({ der }) => partOf(der)))) await settlePartition(partitions, part);
    }
  };
}
