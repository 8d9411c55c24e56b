import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, PoolClient } from 'pg';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '#lib/error-code.ts';
import { hotRowsOf } from './packed.ts';
import { type PartitionMap, partitionLocks, type ServerPool } from './partitions.ts';
import { createPartition, dropPartition } from './schema.ts';
import { sortRecent } from './sort.ts';
import { insertBodies, insertHot, tableNames } from './tables.ts';

type Partitions = PartitionMap<ServerPool>;

/** Runs work on a server with a connection that holds the lock of a partition; returns undefined when another process has it. */
export async function withPartitionLock<T>(
  { reading }: ServerPool,
  lock: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T | undefined> {
  const client = await reading.connect();
  try {
    const values = [partitionLocks, lock];
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', values);
    if (!rows[0]?.locked) return undefined;
    try {
      return await work(client);
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', values);
    }
  } finally {
    client.release();
  }
}

/**
 * Undoes a move whose process ended before it was complete, and deletes what moves have left. Does nothing while another
 * process works on the partition.
 */
export async function settlePartition(map: Partitions, part: number): Promise<void> {
  await map.refresh();
  const source = map.serverOf(part);
  await withPartitionLock(source, part, async (client) => {
    await map.refresh();
    if (map.serverOf(part) === source) await settle(map, part, client);
  });
}

/** The epoch is raised first: statements of the interrupted move that arrive later cannot complete it. */
async function settle(map: Partitions, part: number, client: ClientBase): Promise<void> {
  await map.refresh();
  const { moving_to, leftovers_on, epoch } = map.find(part);
  if (moving_to !== null) {
    if (await change(map, part, epoch, 'epoch = epoch + 1')) {
      const { hot, leaving } = tableNames(part);
      await client.query(`alter table if exists ${leaving} rename to ${hot}`);
      await change(map, part, epoch + 1, 'moving_to = null, is_fenced = false, leftovers_on = moving_to');
    }
    return settle(map, part, client);
  }
  if (leftovers_on === null) return;
  await withClient(map.named(leftovers_on), (other) => dropPartition(other, part, map.list.length));
  await change(map, part, epoch, 'leftovers_on = null');
  await map.refresh();
}

/** Changes a partition in the list, unless another process has changed its epoch. */
async function change(map: Partitions, part: number, epoch: number, assignments: string, values: string[] = []) {
  const text = `update telemetry_partitions set ${assignments} where part = $1 and epoch = $2`;
  const { rowCount } = await map.main.reading.query(text, [part, epoch, ...values]);
  return rowCount === 1;
}

async function withClient<T>({ reading }: ServerPool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await reading.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

export type MoveOptions = {
  part: number;
  target: string;
  signal: AbortSignal;
  onProgress(share: number): void;
};

/** The rows that were copied, and how long the partition accepted no readings. */
export type Moved = { from: string; chunks: number; rows: number; waitedMs: number };

const lockMs = 60_000; // longer than a sealer usually works on a partition
const retryMs = 200;

/**
 * Moves a partition to another server. No process seals it meanwhile, so that its chunks do not change while they are
 * copied; readings are stored as usual. For the last ones it is fenced: its readings wait unacknowledged at their platform.
 */
export async function movePartition(map: Partitions, options: MoveOptions): Promise<Moved> {
  const { part, target, signal } = options;
  await map.refresh();
  const source = map.serverOf(part);
  if (map.named(target) === source)
    throw new Problem('conflict', `Partition ${part} is already on the server ${target}.`);
  for (const deadline = performance.now() + lockMs; performance.now() < deadline; await sleep(retryMs)) {
    signal.throwIfAborted();
    const moved = await withPartitionLock(source, part, async (client) => {
      await map.refresh();
      if (map.serverOf(part) !== source) throw new Problem('conflict', `Another process has moved partition ${part}.`);
      await settle(map, part, client);
      try {
        return await copy(map, source, client, options);
      } finally {
        await settle(map, part, client).catch(() => {}); // undoes it or deletes what it left, if not now then a sealer
      }
    });
    if (moved) return moved;
  }
  const sentence = `Another process has been moving or sealing partition ${part} for ${lockMs / 1000} s; try again later.`;
  throw new Problem('conflict', sentence);
}

async function copy(map: Partitions, source: ServerPool, client: PoolClient, options: MoveOptions): Promise<Moved> {
  const { part, target, signal, onProgress } = options;
  const { hot, leaving, chunks } = tableNames(part);
  const destination = map.named(target);
  const epoch = map.find(part).epoch + 1;
  const began = await change(map, part, epoch - 1, 'epoch = epoch + 1, moving_to = $3, leftovers_on = null', [target]);
  if (!began) throw new Problem('conflict', `Another process has changed partition ${part}; try again.`);
  return withClient(destination, (to) =>
    withClient(source, async (from) => {
      await createPartition(to, part, map.list.length);
      const total = await countRows(from, [chunks, hot]);
      let copied = 0;
      let sortedAt = performance.now();
      const advance = async (rows: number): Promise<void> => {
        signal.throwIfAborted();
        copied += rows;
        onProgress(Math.min(0.99, copied / total));
        if (performance.now() - sortedAt < sortMs) return;
        await sortRecent(client, part); // keeps queries fast during a long copy
        sortedAt = performance.now();
      };
      const chunkRows = await copyRows(from, to, chunks, ['tier', 'der', 'start'], advance);
      await sortRecent(client, part);
      sortedAt = Number.POSITIVE_INFINITY; // sorted rows must not change from here on
      const hotRows = await copyRows(from, to, hot, ['der', 'at', 'last_at', 'received'], advance);
      await copyNewest(from, to, part, map.list.length);

      const fencedAt = performance.now();
      if (!(await change(map, part, epoch, 'is_fenced = true'))) throw lostMove(part);
      await raiseFence(client);
      await copyRecent(from, to, part);
      // Readers look for the partition again.
      await locking(client, () => client.query(`alter table ${hot} rename to ${leaving}`));
      const commit = 'epoch = epoch + 1, server = $3, moving_to = null, is_fenced = false, leftovers_on = server';
      if (!(await change(map, part, epoch, commit, [target]))) throw lostMove(part);
      const waitedMs = Math.round(performance.now() - fencedAt);
      return { from: source.name, chunks: chunkRows, rows: hotRows, waitedMs };
    }),
  );
}

const sortMs = 30_000;

const lostMove = (part: number): Problem =>
  new Problem('conflict', `Another process has undone the move of partition ${part}; move it again.`);

/**
 * Makes the server refuse rows of processes that do not know about the move yet. Rows that were being inserted are committed
 * when the lock is obtained.
 */
const raiseFence = (client: ClientBase): Promise<void> =>
  locking(client, async () => {
    await client.query('lock table telemetry_recent in exclusive mode');
    await client.query('update telemetry_fence set version = version + 1');
  });

const maxAttempts = 5;
const lockNotAvailable = '55P03';

/** Runs a transaction that waits for a lock, in steps: other statements wait behind it. */
async function locking(client: ClientBase, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; set local lock_timeout = '1s'`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (errorCode(error) !== lockNotAvailable) throw error;
      const sentence =
        'A long transaction, such as that of pg_dump, uses the partition; move it again when it has ended.';
      if (attempt === maxAttempts) throw new Problem('conflict', sentence);
      await sleep(retryMs);
    }
  }
}

async function countRows(client: ClientBase, tables: readonly string[]): Promise<number> {
  const counts = tables.map((table) => `(select count(*) from ${table})`).join(' + ');
  const { rows } = await client.query<{ count: number }>(`select ${counts} as count`);
  return rows[0]?.count ?? 0;
}

const maxRowsAtOnce = 500;
const bytesAtOnce = 8 * 1024 * 1024;

/** Reads all rows of a query in portions of bounded size. */
async function* portionsOf<Row extends { body: Buffer }>(from: ClientBase, query: string): AsyncGenerator<Row[]> {
  await from.query('begin isolation level repeatable read');
  try {
    await from.query(`declare copied no scroll cursor for ${query}`);
    for (let count = 16; ; ) {
      const { rows } = await from.query<Row>(`fetch ${count} from copied`);
      if (rows.length === 0) return;
      yield rows;
      const bytes = rows.reduce((sum, { body }) => sum + body.length, 0);
      count = Math.min(maxRowsAtOnce, Math.max(1, Math.floor((count * bytesAtOnce) / Math.max(bytes, 1))), count * 2);
    }
  } finally {
    await from.query('rollback');
  }
}

/** Copies rows of numbers and a body. */
async function copyRows(
  from: ClientBase,
  to: ClientBase,
  table: string,
  columns: readonly string[],
  advance: (rows: number) => Promise<void>,
): Promise<number> {
  let count = 0;
  const query = `select ${columns.join()}, body from ${table}`;
  for await (const rows of portionsOf<Record<string, number> & { body: Buffer }>(from, query)) {
    await insertBodies(to, table, columns, rows);
    count += rows.length;
    await advance(rows.length);
  }
  return count;
}

/** Copies recent rows, sorted. */
async function copyRecent(from: ClientBase, to: ClientBase, part: number): Promise<void> {
  const query = `select body from telemetry_recent where part = ${part}`;
  for await (const rows of portionsOf<{ body: Buffer }>(from, query))
    await insertHot(to, part, hotRowsOf(rows.map(({ body }) => body)));
}

/** Copies the newest sealed sample of each DER, and the state of the partition. */
async function copyNewest(from: ClientBase, to: ClientBase, part: number, partitions: number): Promise<void> {
  const { rows: newest } = await from.query<{ der: number; at: number; body: string }>(
    'select der, at, body from telemetry_newest_sealed where mod(der, $1) = $2',
    [partitions, part],
  );
  await to.query(
    'insert into telemetry_newest_sealed (der, at, body) select * from unnest($1::bigint[], $2::bigint[], $3::text[])',
    [newest.map(({ der }) => der), newest.map(({ at }) => at), newest.map(({ body }) => body)],
  );
  const { rows: state } = await from.query<{ name: string; value: number }>(
    `select name, value from telemetry_state where name like '% ' || $1`,
    [String(part)],
  );
  await to.query('insert into telemetry_state (name, value) select * from unnest($1::text[], $2::bigint[])', [
    state.map(({ name }) => name),
    state.map(({ value }) => value),
  ]);
}
