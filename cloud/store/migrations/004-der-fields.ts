import type { Db } from '../engine.ts';

/** The field names of DERs that have many: what limits them must survive a restart. */
export async function derFields({ schema }: Db): Promise<void> {
  await schema
    .createTable('der_fields')
    .addColumn('der_no', 'bigint', (column) => column.notNull().references('ders.no').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('der_fields_by_der', ['der_no', 'name'])
    .execute();
}
