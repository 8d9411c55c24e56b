import { Problem } from '#contract/problem.ts';
import type { CloudConfig } from '../config.ts';
import { createPool } from '../store/pool.ts';
import { type Moved, type MoveOptions, movePartition } from '../store/telemetry/postgres/move.ts';
import { mainServer, PartitionMap, parseServers, type ServerPool } from '../store/telemetry/postgres/partitions.ts';
import { tableNames } from '../store/telemetry/postgres/tables.ts';

type TelemetryPlace = Pick<CloudConfig, 'DATABASE_URL' | 'TELEMETRY_URLS'>;

type Partitions = PartitionMap<ServerPool>;

/** A partition as operators see it. `bytes` is null when its server does not answer. */
export type ListedPartition = { partition: number; server: string; bytes: number | null; moving_to: string | null };

const connections = 4; // a move needs two on a server, and two more for the list of partitions

async function withPartitions<T>(place: TelemetryPlace, work: (partitions: Partitions) => Promise<T>): Promise<T> {
  const { DATABASE_URL, TELEMETRY_URLS } = place;
  if (!DATABASE_URL)
    throw new Problem(
      'unprocessable',
      'The data is in SQLite. Only telemetry in PostgreSQL (DATABASE_URL) is partitioned.',
    );
  const named = [{ name: mainServer, url: DATABASE_URL }, ...parseServers(TELEMETRY_URLS)];
  const servers = named.map(({ name, url }) => ({ name, reading: createPool(url, connections, () => {}, 0) }));
  try {
    const partitions = new PartitionMap(servers);
    await partitions.refresh();
    return await work(partitions);
  } finally {
    await Promise.all(servers.map(({ reading }) => reading.end()));
  }
}

export const listPartitions = (place: TelemetryPlace): Promise<ListedPartition[]> =>
  withPartitions(place, async (partitions) => {
    const sizes = new Map<number, number>();
    const measure = async ({ reading }: ServerPool, parts: readonly number[]): Promise<void> => {
      const size = `coalesce(pg_total_relation_size(to_regclass(hot)) + pg_total_relation_size(to_regclass(chunks)), 0)`;
      const names = parts.map(tableNames);
      const { rows } = await reading.query<{ part: number; bytes: number }>(
        `select part, ${size} as bytes from unnest($1::int[], $2::text[], $3::text[]) as tables (part, hot, chunks)`,
        [parts, names.map(({ hot }) => hot), names.map(({ chunks }) => chunks)],
      );
      for (const { part, bytes } of rows) sizes.set(part, bytes);
    };
    await Promise.allSettled(partitions.byServer().map(([server, parts]) => measure(server, parts)));
    return partitions.list.map(({ part, server, moving_to }) => ({
      partition: part,
      server,
      bytes: sizes.get(part) ?? null,
      moving_to,
    }));
  });

/** Moves a partition to another server while the platform is running. */
export const moveTelemetry = (place: TelemetryPlace, options: MoveOptions): Promise<Moved> =>
  withPartitions(place, (partitions) => movePartition(partitions, options));
