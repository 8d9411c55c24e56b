import type { Db } from '../engine.ts';

export async function invitations(db: Db): Promise<void> {
  const { schema } = db;

  // How a membership came about. Among the existing ones, only that of the creator is known to be wanted.
  await schema
    .alterTable('members')
    .addColumn('origin', 'text', (column) => column.notNull().defaultTo('added'))
    .execute();
  await db
    .updateTable('members')
    .set({ origin: 'created' })
    .where('role', '=', 'owner')
    .where(({ eb, selectFrom }) =>
      eb(
        'joined_at',
        '=',
        selectFrom('organizations').whereRef('organizations.id', '=', 'members.org_id').select('created_at'),
      ),
    )
    .execute();

  // Without a foreign key: the link of a deleted organization must still be recognised as ended.
  await schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('invited_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute();
  await schema.createIndex('invitations_by_organization').on('invitations').columns(['org_id', 'id']).execute();
  await schema.createIndex('invitations_by_expiry').on('invitations').column('expires_at').execute();
}
