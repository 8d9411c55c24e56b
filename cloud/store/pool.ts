import { Socket } from 'node:net';
import pg from 'pg';

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number); // arrives as text; our times and counts are far below 2^53

const defaultSilenceMs = 40_000; // longer than any query takes

/**
 * Opens a pool of connections to PostgreSQL that replaces lost ones. A connection on which the server sends nothing for
 * `maxSilenceMs` during a query counts as lost; 0 waits for ever.
 */
export function createPool(
  url: string,
  max: number,
  onLost: (error: Error) => void,
  maxSilenceMs = defaultSilenceMs,
): pg.Pool {
  const stream = (): Socket => openSocket(maxSilenceMs);
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5000, types, stream });
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost)); // an unhandled error event would end the process
  return pool;
}

/** Opens a socket with a timeout: the system notices a cut network only after a quarter of an hour. */
function openSocket(maxSilenceMs: number): Socket {
  const socket = new Socket();
  const message = `PostgreSQL did not respond for ${maxSilenceMs / 1000} s.`;
  return socket.setTimeout(maxSilenceMs, () =>
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' })),
  );
}

export async function serverVersion(url: string, timeoutMs: number): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {}); // a connection that is lost after the answer does not matter
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}
