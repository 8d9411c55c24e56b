import type { Db } from '../engine.ts';

export async function oauth({ schema }: Db): Promise<void> {
  await schema
    .createTable('oauth_clients')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.references('organizations.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('redirect_uris', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('oauth_clients_by_organization').on('oauth_clients').columns(['org_id', 'id']).execute();

  await schema
    .createTable('oauth_consents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
    .addColumn('client_id', 'text', (column) => column.notNull().references('oauth_clients.id').onDelete('cascade'))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('org_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('oauth_consents_by_identity', ['identity_id', 'client_id'])
    .execute();
  await schema.createIndex('oauth_consents_by_client').on('oauth_consents').column('client_id').execute();

  await schema
    .createTable('oauth_records')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('identity_id', 'text')
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('consumed_at', 'bigint')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('oauth_records_by_grant').on('oauth_records').column('grant_id').execute();
  await schema
    .createIndex('oauth_records_by_client')
    .on('oauth_records')
    .columns(['client_id', 'identity_id'])
    .execute();
  await schema.createIndex('oauth_records_by_expiry').on('oauth_records').column('expires_at').execute();
}
