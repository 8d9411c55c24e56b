import pg from 'pg';

/** The version that a PostgreSQL server tells, without touching what is in it. */
export async function serverVersion(url: string, timeoutMs: number): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {}); // one that ends after its answer has nothing to tell
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version;
  } finally {
    await client.end();
  }
}
