import { newDerNumber } from '../devices.ts';
import type { Db } from '../engine.ts';

export async function telemetry(db: Db): Promise<void> {
  const { schema } = db;

  await schema.alterTable('ders').addColumn('no', 'bigint').execute();
  for (const { id } of await db.selectFrom('ders').select('id').execute()) {
    await db.updateTable('ders').set({ no: newDerNumber() }).where('id', '=', id).execute();
  }
  await schema.createIndex('ders_by_no').on('ders').column('no').unique().execute();

  await schema.createIndex('sites_by_cell').on('sites').column('cell').execute();

  await schema
    .createTable('stream_tickets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('site_id', 'text', (column) => column.notNull())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('commands')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('der_id', 'text', (column) => column.notNull().references('ders.id').onDelete('cascade'))
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('gateway_serial', 'text', (column) => column.notNull())
    .addColumn('power_w', 'double precision', (column) => column.notNull())
    .addColumn('ttl_s', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('history', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('commands_by_der').on('commands').columns(['der_id', 'id']).execute();
  await schema.createIndex('commands_by_status').on('commands').columns(['status', 'expires_at']).execute();
}
