import type { Pool } from 'pg';
import type { Sample } from '../telemetry-store.ts';
import { packedBytes, writePacked } from './packed.ts';
import { bigintArray } from './tables.ts';

const maxRowBytes = 128 * 1024; // a sealer reads many rows at once

/** Rows of samples of one partition each: columns of the table, and which of all DERs and bytes a row has, counted from 1. */
type RecentRows = {
  part: number[];
  received: number[];
  firstDer: number[];
  lastDer: number[];
  firstByte: number[];
  bytes: number[];
  ders: number[];
  body: Buffer;
};

/** Packs samples into one row for each partition, or several where they are many. */
function packByPartition(samples: readonly Sample[], partOf: (der: number) => number): RecentRows {
  const body = Buffer.allocUnsafe(samples.reduce((bytes, sample) => bytes + packedBytes(sample), 0));
  const rows: RecentRows = {
    part: [],
    received: [],
    firstDer: [],
    lastDer: [],
    firstByte: [],
    bytes: [],
    ders: [],
    body,
  };
  let end = 0;
  for (const [part, some] of Map.groupBy(samples, ({ der }) => partOf(der))) {
    let [begin, firstDer, received] = [end, rows.ders.length + 1, 0];
    for (const [i, sample] of some.entries()) {
      end = writePacked(body, end, sample);
      rows.ders.push(sample.der);
      received = Math.max(received, sample.received);
      if (end - begin < maxRowBytes && i < some.length - 1) continue;
      rows.part.push(part);
      rows.received.push(received);
      rows.firstDer.push(firstDer);
      rows.lastDer.push(rows.ders.length);
      rows.firstByte.push(begin + 1);
      rows.bytes.push(end - begin);
      [begin, firstDer, received] = [end, rows.ders.length + 1, 0];
    }
  }
  return rows;
}

// All parameters are binary, because PostgreSQL would have to parse text.
const insert = `
  insert into telemetry_recent (part, received, ders, body)
  select part, received, ($7::bigint[])[first_der : last_der], substring($8::bytea from first_byte::int for bytes::int)
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
    as row (part, received, first_der, last_der, first_byte, bytes)
  where $9 = (select version from telemetry_fence)`;

/**
 * Inserts samples of partitions that one server has, in one transaction. Returns false, and inserts nothing, when a
 * partition has left the server since this version of its fence.
 */
export async function insertRecent(
  pool: Pool,
  samples: readonly Sample[],
  partOf: (der: number) => number,
  fence: number,
): Promise<boolean> {
  const { part, received, firstDer, lastDer, firstByte, bytes, ders, body } = packByPartition(samples, partOf);
  const values = [...[part, received, firstDer, lastDer, firstByte, bytes, ders].map(bigintArray), body, fence];
  const { rowCount } = await pool.query({ name: 'telemetry-append', text: insert, values });
  return rowCount === part.length;
}
