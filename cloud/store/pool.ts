import type { Socket } from 'node:net';
import pg from 'pg';
import { hostUrls } from './host-urls.ts';
import { connectionError, openSocket, type Primary, primaryOf } from './primary.ts';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number); // arrives as text; our times and counts are far below 2^53

const defaultSilenceMs = 40_000; // longer than any query takes
const suspectMs = 3000; // a connection in use for longer may wait for a server that is not the primary any more

/**
 * Opens a pool of connections to PostgreSQL that replaces lost ones. A connection on which the server sends nothing for
 * `maxSilenceMs` during a query counts as lost; 0 waits for ever. With several hosts in the URL, all connections are to
 * the primary among them.
 */
export function createPool(
  url: string,
  max: number,
  onLost: (error: Error) => void,
  maxSilenceMs = defaultSilenceMs,
): pg.Pool {
  const stream = (): Socket => openSocket(maxSilenceMs);
  const options: PoolOptions = { connectionString: url, max, connectionTimeoutMillis: 5000, types, stream };
  const pool = hostUrls(url).length === 1 ? new pg.Pool(options) : new PrimaryPool(options, primaryOf(url));
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    client.on('error', onLost); // an unhandled error event would end the process
    giveUpUnsafe(client);
  });
  return pool;
}

/** Gives up a connection whose server became read-only, and one whose commit did not reach the synchronous standby. */
function giveUpUnsafe(client: pg.PoolClient): void {
  const { connection } = client;
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code === '25006') connection.emit('error', connectionError('08006', 'The server became read-only.'));
  });
  client.on('notice', ({ routine, message }) => {
    // An operator cancelled the wait for the standby. PostgreSQL reports the commit as done; the error makes it fail here.
    if (routine === 'SyncRepWaitForLSN') connection.emit('error', connectionError('08007', message));
  });
}

type PoolOptions = Omit<pg.PoolConfig, 'stream'> & { stream(): Socket };

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error) => void,
) => void;

/** A pool of connections to the primary, which follows it to another server. */
class PrimaryPool extends pg.Pool {
  readonly #primary: Primary;
  readonly #urls = new Map<Socket, string | undefined>();

  constructor({ stream, ...options }: PoolOptions, primary: Primary) {
    super({
      ...options,
      stream: () => this.#remember(stream()),
      verify: (client, done) => void primary.check(client).then(() => done(), done),
    });
    this.#primary = primary;
    primary.onFound((url) => this.#leaveOthers(url));
    const inUse = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
    this.on('acquire', (client) => {
      inUse.set(client, setInterval(() => void primary.search().catch(() => {}), suspectMs).unref());
    });
    this.on('release', (_, client) => clearInterval(inUse.get(client)));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const known = await this.#primary.url();
    this.options.connectionString = known;
    try {
      return await super.connect();
    } catch (error) {
      this.#primary.forget();
      if ((await this.#primary.search()) === known) throw error;
      return super.connect();
    }
  }

  /** Ends the connections to other servers than this one. */
  #leaveOthers(url: string): void {
    this.options.connectionString = url;
    const moved = connectionError('08006', 'The server of this connection is not the primary any more.');
    for (const [socket, its] of this.#urls) if (its !== url) socket.destroy(moved);
  }

  #remember(socket: Socket): Socket {
    this.#urls.set(socket, this.options.connectionString);
    return socket.once('close', () => this.#urls.delete(socket));
  }
}

export async function serverVersion(url: string, timeoutMs: number): Promise<string> {
  const connectionString = await primaryOf(url).search();
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {}); // a connection that is lost after the answer does not matter
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}
