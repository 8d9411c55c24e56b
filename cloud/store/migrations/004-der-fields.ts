import type { Db } from '../engine.ts';

/** Stores the field names of DERs with many fields, so that their limit survives a restart. */
export async function derFields({ schema }: Db): Promise<void> {
  await schema
    .createTable('der_fields')
    .addColumn('der_no', 'bigint', (column) => column.notNull().references('ders.no').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('der_fields_by_der', ['der_no', 'name'])
    .execute();
}
