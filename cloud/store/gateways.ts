import type { ExpressionBuilder, InferResult } from 'kysely';
import type { Db, PageRange } from './engine.ts';
import { existing, limitArgument, prepared } from './prepared.ts';
import type { Schema } from './schema.ts';
import { column, table } from './table.ts';

const gateways = table('gateways');

export const findGateway = gateways.find('serial');
export const deleteGateway = gateways.delete('serial');

/** Returns the given serials that the platform knows, claimed or not. */
export const listKnownSerials = (db: Db, serials: string[]): Promise<string[]> =>
  column('serial', db.selectFrom('gateways').where('serial', 'in', serials).select('serial'));

const devicesOf = (row: ExpressionBuilder<Schema, 'gateways'>) =>
  row.selectFrom('devices').whereRef('devices.gateway_serial', '=', 'gateways.serial');

const countOf = (devices: ReturnType<typeof devicesOf>) =>
  devices
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$asScalar()
    .$notNull()
    .as('device_count');

export type ClaimedGatewayRow = InferResult<ReturnType<typeof claimed>>[number];

const claimed = (db: Db) =>
  db
    .selectFrom('gateways')
    .where('gateways.org_id', 'is not', null)
    .selectAll('gateways')
    .select((row) => countOf(devicesOf(row).whereRef('devices.org_id', '=', 'gateways.org_id')))
    .$narrowType<{ org_id: string; claimed_at: number }>();

export const getClaimedGateway = existing(
  prepared((db, serial: string) => claimed(db).where('gateways.serial', '=', serial)),
);

const pageOf = (db: Db, after: string, limit: number) =>
  claimed(db).where('gateways.serial', '>', after).orderBy('gateways.serial').limit(limitArgument(limit));
const all = prepared(pageOf);
const ofOrganization = prepared((db, after: string, limit: number, org: string) =>
  pageOf(db, after, limit).where('gateways.org_id', '=', org),
);

export const listAllGateways = (db: Db, { after = '', limit }: PageRange): Promise<ClaimedGatewayRow[]> =>
  all(db, after, limit);

export const listGatewaysOf = (db: Db, org: string, { after = '', limit }: PageRange): Promise<ClaimedGatewayRow[]> =>
  ofOrganization(db, after, limit, org);

/** Inserts the gateway or replaces its row, except for the time of its first token with an audience. */
export const saveGateway = gateways.save(
  ['serial'],
  'org_id',
  'public_key',
  'listed',
  'claimed_at',
  'ownership_at_s',
  'online',
  'last_seen',
);

/** Records that the gateway's tokens name their audience from now on. */
export const setTokenAudience = table('gateways', 'token_audience_at is null').update(['serial'], 'token_audience_at');

const nonces = table('claim_nonces');

export const findNonce = nonces.find('serial', 'nonce');
export const insertNonce = nonces.insert();

/** Deletes the nonces of a gateway that were used between two times. */
export const deleteNonces = nonces.delete('serial', 'used_at >', 'used_at <');

/** Selects claimed and unclaimed gateways, with the number of devices of any organization. */
const known = (db: Db) =>
  db
    .selectFrom('gateways')
    .selectAll('gateways')
    .select((row) => countOf(devicesOf(row)))
    .orderBy('gateways.serial');

type KnownGatewayRow = InferResult<ReturnType<typeof known>>[number];

export const listKnownGateways = (db: Db): Promise<KnownGatewayRow[]> => known(db).execute();

export const findKnownGateway = (db: Db, serial: string): Promise<KnownGatewayRow | undefined> =>
  known(db).where('serial', '=', serial).executeTakeFirst();
