import type { ClientBase } from 'pg';
import { minuteMs } from '#contract/time.ts';
import { hotRowsOf } from './packed.ts';
import { insertHot } from './tables.ts';
import { inTransaction } from './transaction.ts';

const bytesAtOnce = 8 * 1024 * 1024;

// Finds the first rows by their places, because a join would read the rows of all partitions.
const take = `
  delete from telemetry_recent where ctid = any (array (
    select ctid from (
      select ctid, sum(length(body)) over (order by ctid) - length(body) as before from telemetry_recent where part = $1
    ) as rows where before < $2
  )) returning body`;

const maxUnsortedMs = 5 * minuteMs;
const maxUnsortedRows = 2000; // queries read all recent rows of a partition

/** Returns whether a partition has so many recent rows, or such old ones, that they should be sorted. */
export async function isSortingDue(client: ClientBase, part: number, now: number): Promise<boolean> {
  const text = `select count(*) as rows, min(received) as oldest
    from (select received from telemetry_recent where part = $1 limit $2) as unsorted`;
  const values = [part, maxUnsortedRows];
  const query = { name: 'telemetry-unsorted', text, values };
  const [some] = (await client.query<{ rows: number; oldest: number | null }>(query)).rows;
  if (!some || some.oldest === null) return false;
  return some.rows === maxUnsortedRows || Math.abs(now - some.oldest / 1000) > maxUnsortedMs;
}

/** Moves the recent rows of a partition into rows of one DER each. Returns the time of the oldest sample. */
export async function sortRecent(client: ClientBase, part: number): Promise<number> {
  for (let oldest = Number.POSITIVE_INFINITY; ; ) {
    const work = async (): Promise<number> => {
      const values = [part, bytesAtOnce];
      const { rows } = await client.query<{ body: Buffer }>({ name: 'telemetry-take', text: take, values });
      const sorted = hotRowsOf(rows.map(({ body }) => body));
      await insertHot(client, part, sorted);
      for (const { at } of sorted) oldest = Math.min(oldest, at);
      return rows.reduce((sum, { body }) => sum + body.length, 0);
    };
    const bytes = await inTransaction(client, work, { waitsForDisk: false });
    if (bytes < bytesAtOnce) return oldest;
  }
}
