import type { Pool } from 'pg';
import type { Logger } from '#lib/log.ts';
import { createPool } from '../../pool.ts';
import { parsedHot, readArrivedAfter, readBuckets, readLatest } from '../answers.ts';
import { DecodedSummaries } from '../decoded-summaries.ts';
import { pointsHere, textOfPoints } from '../points.ts';
import { readRaw } from '../raw.ts';
import { toBuckets } from '../results.ts';
import type { Retention, Sample, TelemetryStore } from '../telemetry-store.ts';
import { Thread } from '../thread.ts';
import { createTelemetryTables } from './schema.ts';
import type { Sealer, SealerOptions } from './sealer.ts';
import { readTables } from './tables.ts';

export type PostgresTelemetryOptions = { url: string; retention: Retention; log: Logger };

/** In the database of the registry. Sealing has a thread of its own, so that the event loop does not wait for it. */
export async function openPostgresTelemetry({
  url,
  retention,
  log,
}: PostgresTelemetryOptions): Promise<TelemetryStore> {
  const openPool = (size: number): Pool =>
    createPool(url, size, (error) => log.warn({ err: error }, 'a telemetry connection was lost'));
  const pool = openPool(6);
  const appending = openPool(2); // of its own: what gateways send does not wait for somebody's long history
  try {
    const client = await pool.connect();
    await createTelemetryTables(client).finally(() => client.release());
  } catch (error) {
    await Promise.all([pool.end(), appending.end()]);
    throw error;
  }
  const tables = readTables(pool);
  let forgottenBefore = await tables.state('forgotten_before');
  const shelf = { tables, hotReadings: parsedHot(tables), decoded: new DecodedSummaries() };
  const sealer = new Thread<Sealer>({
    script: new URL('./sealer.ts', import.meta.url),
    given: () => ({ workerData: { url, retention } satisfies SealerOptions }),
    onLost: (error) => log.error({ err: error, thread: 'sealer' }, 'a telemetry thread was lost'),
  });
  return {
    append: (samples) => append(appending, samples),
    oldestKept: () => forgottenBefore,
    latest: async (ders) => new Map((await readLatest(tables, ders)).map((sample) => [sample.der, sample])),
    arrivedAfter: (ders, received) => readArrivedAfter(tables, ders, received),
    raw: (der, from, to, fields) => readRaw(tables, der, from, to, fields),
    buckets: async (der, edges, fields) => toBuckets(await readBuckets(shelf, der, edges, fields)),
    points: (der, asked, fields, format) => textOfPoints(pointsHere(shelf), der, asked, fields, format),
    seal: (now) => sealer.call('seal', [now]),
    erase: (ders) => sealer.call('erase', [ders]),
    async forget(now) {
      forgottenBefore = await sealer.call('forget', [now]);
    },
    close: async () => {
      await sealer.close();
      await Promise.all([pool.end(), appending.end()]);
    },
  };
}

// In one order, so that two processes with the same samples wait for each other instead of deadlocking.
const insert = `
  insert into telemetry_samples (der, at, received, body)
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) as sample (der, at, received, body)
  where at >= coalesce((select value from telemetry_state where name = 'forgotten_before'), 0)
  order by der, at, received
  on conflict do nothing`;

const present = `
  select sample.received
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as sample (der, at, received)
  join telemetry_samples as known on known.der = sample.der and known.at = sample.at
  where known.received <> sample.received`;

async function append(pool: Pool, samples: readonly Sample[]): Promise<readonly number[]> {
  const values = [
    samples.map(({ der }) => der),
    samples.map(({ at }) => at),
    samples.map(({ received }) => received),
    samples.map(({ body }) => body),
  ];
  const { rowCount } = await pool.query({ name: 'telemetry-append', text: insert, values });
  if (rowCount === samples.length) return [];
  const { rows } = await pool.query<{ received: string }>(present, values.slice(0, 3));
  return rows.map(({ received }) => Number(received));
}
