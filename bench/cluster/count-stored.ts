import { Client } from 'pg';
import { firstOfEach, unpack } from '#cloud/store/telemetry/postgres/packed.ts';
import { tableNames } from '#cloud/store/telemetry/postgres/tables.ts';

/** Counts the readings in a database that are not sealed: a benchmark of minutes ends before its hour is sealed. */
export async function countStored(databaseUrl: string): Promise<number> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows: parts } = await client.query<{ part: number }>('select part from telemetry_partitions');
    let count = 0;
    for (const { part } of parts) {
      const { rows } = await client.query<{ body: Buffer }>(
        `select body from telemetry_recent where part = $1 union all select body from ${tableNames(part).hot}`,
        [part],
      );
      count += firstOfEach(
        unpack(
          rows.map(({ body }) => body),
          () => true,
        ),
      ).length;
    }
    return count;
  } finally {
    await client.end();
  }
}
