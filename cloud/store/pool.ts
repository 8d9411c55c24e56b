import pg from 'pg';

const int8 = 20;

// int8 arrives as text; our instants and counts are far below 2^53.
const types = {
  getTypeParser: ((oid: number, format?: string) =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Connections to PostgreSQL. A lost one is told and replaced. */
export function createPool(url: string, most: number, lost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: most, connectionTimeoutMillis: 5000, types });
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost)); // else one that ends while in use ends the process
  return pool;
}
