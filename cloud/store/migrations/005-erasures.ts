import type { Db } from '../engine.ts';

/** Lists deleted DERs whose telemetry is still to be erased. */
export async function erasures({ schema }: Db): Promise<void> {
  await schema
    .createTable('erasures')
    .addColumn('der_no', 'bigint', (column) => column.primaryKey())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .execute();
}
