import type { Db } from '../engine.ts';

export async function quotas(db: Db): Promise<void> {
  const { schema } = db;

  await schema.alterTable('organizations').addColumn('created_by', 'text').execute();
  await db
    .updateTable('organizations')
    .set((row) => ({
      created_by: row
        .selectFrom('members')
        .whereRef('members.org_id', '=', 'organizations.id')
        .where('members.role', '=', 'owner')
        .orderBy('members.joined_at')
        .orderBy('members.identity_id')
        .limit(1)
        .select('members.identity_id'),
    }))
    .execute();
  await schema.createIndex('organizations_by_creator').on('organizations').column('created_by').execute();

  await schema.createIndex('devices_by_organization').on('devices').column('org_id').execute();

  // Without a foreign key: telemetry may still be counted for an organization that was just deleted.
  await schema
    .createTable('telemetry_usage')
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('telemetry_usage_pk', ['org_id', 'day'])
    .execute();
  await schema.createIndex('telemetry_usage_by_day').on('telemetry_usage').column('day').execute();
}
