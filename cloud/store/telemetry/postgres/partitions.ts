import type { Pool } from 'pg';
import { Problem } from '#contract/problem.ts';
import { errorCode } from '#lib/error-code.ts';

/** A PostgreSQL server for telemetry. */
export type TelemetryServer = { name: string; url: string };

/** The server with the registry and the list of partitions. New partitions are created on it. */
export const mainServer = 'main';

/** Parses TELEMETRY_URLS: `east=postgres://…,west=postgres://…`. A URL may contain commas between hosts. */
export function parseServers(text: string | undefined): TelemetryServer[] {
  const servers = (text ?? '')
    .split(/,(?=[a-z0-9-]+=postgres)/)
    .filter(Boolean)
    .map((entry) => ({ name: entry.slice(0, entry.indexOf('=')), url: entry.slice(entry.indexOf('=') + 1) }));
  const names = [mainServer, ...servers.map(({ name }) => name)];
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated === mainServer)
    throw new Problem('invalid_request', `TELEMETRY_URLS names a server ${mainServer}, which is that of DATABASE_URL.`);
  if (repeated !== undefined)
    throw new Problem('invalid_request', `TELEMETRY_URLS names the server ${repeated} twice.`);
  return servers;
}

/** Connections to a server. */
export type ServerPool = { name: string; reading: Pool };

/**
 * A partition in the list of the main server. `moving_to`: a process copies it there. `is_fenced`: it accepts no readings
 * because the last ones are being copied. `leftovers_on`: a server that has remains of it to delete. `epoch` counts moves, so
 * that a process that lost its connection cannot complete one that was undone.
 */
export type Partition = {
  part: number;
  server: string;
  moving_to: string | null;
  is_fenced: boolean;
  leftovers_on: string | null;
  epoch: number;
};

const columns = 'part, server, moving_to, is_fenced, leftovers_on, epoch';

/** Knows which server has which partition. Other processes may move partitions; `refresh` reads the list again. */
export class PartitionMap<Server extends ServerPool> {
  readonly main: Server;
  readonly #servers: readonly Server[];
  #list: readonly Partition[] = [];
  #lastRefresh = Promise.resolve();

  constructor(servers: readonly Server[]) {
    const [main] = servers;
    if (!main) throw new Error('Telemetry needs a server.');
    this.main = main;
    this.#servers = servers;
  }

  /** Reads the list, after any that is being read, so that an older one never replaces a newer one. */
  refresh(): Promise<void> {
    this.#lastRefresh = this.#lastRefresh.catch(() => {}).then(() => this.#read());
    return this.#lastRefresh;
  }

  async #read(): Promise<void> {
    const text = `select ${columns} from telemetry_partitions order by part`;
    const { rows } = await this.main.reading.query<Partition>(text);
    for (const { server } of rows) this.named(server);
    this.#list = rows;
  }

  get list(): readonly Partition[] {
    return this.#list;
  }

  readonly partOf = (der: number): number => der % this.#list.length;

  find(part: number): Partition {
    const partition = this.#list[part];
    if (!partition)
      throw new Problem('not_found', `Partition ${part} does not exist; the last is ${this.#list.length - 1}.`);
    return partition;
  }

  serverOf(part: number): Server {
    return this.named(this.find(part).server);
  }

  named(name: string): Server {
    const server = this.#servers.find((each) => each.name === name);
    if (server) return server;
    const sentence = `Telemetry is stored on the server ${name}, which TELEMETRY_URLS does not name; add it.`;
    throw new Problem('unprocessable', sentence);
  }

  /** Lists the servers that have partitions, with the numbers of these. */
  byServer(): [Server, number[]][] {
    const parts = Map.groupBy(this.#list, ({ server }) => server);
    return Array.from(parts, ([name, some]) => [this.named(name), some.map(({ part }) => part)]);
  }
}

/** The class of advisory locks of partitions; the second key is the number of the partition. The same in every process. */
export const partitionLocks = 7_260_213;

/** Returns whether a table is missing: its partition has moved to another server. */
export const isMissingTable = (error: unknown): boolean => errorCode(error) === '42P01';
