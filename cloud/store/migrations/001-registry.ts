import type { Db } from '../engine.ts';

export async function registry({ schema }: Db): Promise<void> {
  await schema
    .createTable('settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('identities')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('public_key', 'text', (column) => column.notNull().unique())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .execute();

  await schema
    .createTable('used_challenges')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('used_challenges_by_expiry').on('used_challenges').column('expires_at').execute();

  await schema
    .createTable('revoked_tokens')
    .addColumn('jti', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('revoked_tokens_by_expiry').on('revoked_tokens').column('expires_at').execute();

  await schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();

  await schema
    .createTable('idempotency')
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_pk', ['caller', 'key'])
    .execute();
  await schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute();

  await schema
    .createTable('organizations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await schema
    .createTable('members')
    .addColumn('org_id', 'text', (column) => column.notNull().references('organizations.id').onDelete('cascade'))
    .addColumn('identity_id', 'text', (column) => column.notNull().references('identities.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('joined_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('members_pk', ['org_id', 'identity_id'])
    .execute();
  await schema.createIndex('members_by_identity').on('members').columns(['identity_id', 'org_id']).execute();

  // Without a foreign key: the audit outlives its organization.
  await schema
    .createTable('audit')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('object', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('audit_by_organization').on('audit').columns(['org_id', 'id']).execute();

  await schema
    .createTable('sites')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('cell', 'text')
    .addColumn('timezone', 'text')
    .addColumn('timezone_set', 'integer', (column) => column.notNull())
    .addColumn('country', 'text')
    .addColumn('price_area', 'text')
    .addColumn('tariff_id', 'text')
    .addColumn('fuse_a', 'double precision')
    .execute();
  await schema.createIndex('sites_by_organization').on('sites').columns(['org_id', 'id']).execute();

  await schema
    .createTable('gateways')
    .addColumn('serial', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.references('organizations.id'))
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('listed', 'integer', (column) => column.notNull())
    .addColumn('claimed_at', 'bigint')
    .addColumn('ownership_at_s', 'bigint', (column) => column.notNull())
    .addColumn('online', 'integer', (column) => column.notNull())
    .addColumn('last_seen', 'bigint')
    .execute();
  await schema.createIndex('gateways_by_organization').on('gateways').columns(['org_id', 'serial']).execute();

  await schema
    .createTable('claim_nonces')
    .addColumn('serial', 'text', (column) => column.notNull())
    .addColumn('nonce', 'text', (column) => column.notNull())
    .addColumn('identity_id', 'text', (column) => column.notNull())
    .addColumn('org_id', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('claim_nonces_pk', ['serial', 'nonce'])
    .execute();

  await schema
    .createTable('devices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('org_id', 'text', (column) => column.notNull().references('organizations.id'))
    .addColumn('site_id', 'text', (column) => column.notNull().references('sites.id'))
    .addColumn('gateway_serial', 'text', (column) => column.notNull().references('gateways.serial'))
    .addColumn('hardware_id', 'text', (column) => column.notNull())
    .addColumn('topic_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('manufacturer', 'text')
    .addColumn('model', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('online', 'integer', (column) => column.notNull())
    .addColumn('last_seen', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('devices_natural_key', ['gateway_serial', 'org_id', 'topic_id'])
    .execute();
  await schema.createIndex('devices_by_site').on('devices').columns(['site_id', 'id']).execute();

  await schema
    .createTable('ders')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('device_id', 'text', (column) => column.notNull().references('devices.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('ders_by_device', ['device_id', 'name'])
    .execute();

  await schema
    .createTable('cells')
    .addColumn('h3_index', 'text', (column) => column.primaryKey())
    .addColumn('site_count', 'integer', (column) => column.notNull())
    .execute();

  await schema
    .createTable('cell_ders')
    .addColumn('h3_index', 'text', (column) => column.notNull())
    .addColumn('der_type', 'text', (column) => column.notNull())
    .addColumn('der_count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('cell_ders_pk', ['h3_index', 'der_type'])
    .execute();
}
