import type { SelectQueryBuilder } from 'kysely';
import type { Db } from './engine.ts';
import { existing, limitArgument, prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

type Rows = SelectQueryBuilder<Schema, keyof Schema, object>;

/** Counts rows by an index, up to `limit`. */
const counting = (rowsOf: (db: Db, owner: string) => Rows) => {
  const counted = existing(
    prepared((db, owner: string, limit: number) =>
      db
        .selectFrom(rowsOf(db, owner).limit(limitArgument(limit)).as('found'))
        .select(({ fn }) => fn.countAll<number>().as('used')),
    ),
  );
  return async (db: Db, owner: string, limit: number): Promise<number> => (await counted(db, owner, limit)).used;
};

/** Counts what an identity, an organization, a gateway or a device uses of each quota, up to a limit. */
export const countUsed = {
  organizations: counting((db, identity) =>
    db.selectFrom('organizations').where('created_by', '=', identity).select('id'),
  ),
  sites: counting((db, org) => db.selectFrom('sites').where('org_id', '=', org).select('id')),
  gateways: counting((db, org) => db.selectFrom('gateways').where('org_id', '=', org).select('serial')),
  devices: counting((db, org) => db.selectFrom('devices').where('org_id', '=', org).select('org_id')),
  // Without the devices that a former owner left on the gateway.
  gateway_devices: counting((db, serial) =>
    db
      .selectFrom('devices')
      .where('gateway_serial', '=', serial)
      .where('org_id', '=', ({ selectFrom }) => selectFrom('gateways').where('serial', '=', serial).select('org_id'))
      .select('gateway_serial'),
  ),
  ders: counting((db, device) => db.selectFrom('ders').where('device_id', '=', device).select('device_id')),
  // Expired invitations are ended before they are counted.
  invitations: counting((db, org) =>
    db.selectFrom('invitations').where('org_id', '=', org).where('ended_at', 'is', null).select('id'),
  ),
  oauth_clients: counting((db, org) => db.selectFrom('oauth_clients').where('org_id', '=', org).select('id')),
};
