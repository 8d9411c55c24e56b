import { Socket } from 'node:net';
import pg from 'pg';

const int8 = 20;

// int8 arrives as text; our instants and counts are far below 2^53.
const types = {
  getTypeParser: ((oid: number, format?: string) =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Longer than any question takes; 0 waits for as long as it takes. */
const usualSilentMs = 40_000;

/** Connections to PostgreSQL. A lost one is told and replaced, also one of which nobody tells that it is lost. */
export function createPool(url: string, most: number, lost: (error: Error) => void, silentMs = usualSilentMs): pg.Pool {
  const stream = (): Socket => openSocket(silentMs);
  const pool = new pg.Pool({ connectionString: url, max: most, connectionTimeoutMillis: 5000, types, stream });
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost)); // else one that ends while in use ends the process
  return pool;
}

/** A wire that was cut far away stays open here for a quarter of an hour unless somebody looks. */
function openSocket(silentMs: number): Socket {
  const socket = new Socket();
  const said = `PostgreSQL said nothing for ${silentMs / 1000} s.`;
  return socket.setTimeout(silentMs, () => socket.destroy(Object.assign(new Error(said), { code: 'ETIMEDOUT' })));
}
