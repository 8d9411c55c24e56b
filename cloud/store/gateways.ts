import type { InferResult } from 'kysely';
import type { Db, PageRange } from './engine.ts';
import { sql } from './kysely.ts';
import { existing, limitArgument, prepared } from './prepared.ts';
import { column, table } from './table.ts';

const gateways = table('gateways');

export const findGateway = gateways.find('serial');
export const deleteGateway = gateways.delete('serial');
export const saveGatewayVersion = gateways.update(['serial'], 'version');

/** Returns the given serials that the platform knows, claimed or not. */
export const listKnownSerials = (db: Db, serials: string[]): Promise<string[]> =>
  column('serial', db.selectFrom('gateways').where('serial', 'in', serials).select('serial'));

const devicesOf = sql<number>`select count(*) from devices where gateway_serial = gateways.serial`;

export type ClaimedGatewayRow = InferResult<ReturnType<typeof claimed>>[number];

const claimed = (db: Db) =>
  db
    .selectFrom('gateways')
    .where('org_id', 'is not', null)
    .selectAll()
    .select(sql<number>`(${devicesOf} and org_id = gateways.org_id)`.as('device_count'))
    .$narrowType<{ org_id: string; claimed_at: number }>();

export const getClaimedGateway = existing(prepared((db, serial: string) => claimed(db).where('serial', '=', serial)));

const pageOf = (db: Db, after: string, limit: number) =>
  claimed(db).where('serial', '>', after).orderBy('serial').limit(limitArgument(limit));
const all = prepared(pageOf);
const ofOrganization = prepared((db, after: string, limit: number, org: string) =>
  pageOf(db, after, limit).where('org_id', '=', org),
);

/** Lists the gateways of an organization, or all that are claimed. */
export const listGateways = (db: Db, { after = '', limit }: PageRange, org?: string): Promise<ClaimedGatewayRow[]> =>
  org === undefined ? all(db, after, limit) : ofOrganization(db, after, limit, org);

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
  db.selectFrom('gateways').selectAll().select(sql<number>`(${devicesOf})`.as('device_count')).orderBy('serial');

type KnownGatewayRow = InferResult<ReturnType<typeof known>>[number];

export const listKnownGateways = (db: Db): Promise<KnownGatewayRow[]> => known(db).execute();

export const findKnownGateway = (db: Db, serial: string): Promise<KnownGatewayRow | undefined> =>
  known(db).where('serial', '=', serial).executeTakeFirst();
