import type { ObjectKind, Role } from '#contract/access.ts';
import type { Db } from './engine.ts';
import { prepared, takeFirst } from './prepared.ts';
import { cached } from './query-cache.ts';

/** The organization that owns an object, and the caller's role there, if any. */
export type ObjectAccess = { org_id: string; role: Role | null };

type Args = { id: string; identity: string };

const inOrganization = prepared((db, { id, identity }: Args) =>
  db
    .selectFrom('organizations')
    .leftJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'organizations.id').on('identity_id', '=', identity),
    )
    .where('organizations.id', '=', id)
    .select(['organizations.id as org_id', 'role']),
);

const ofSite = prepared((db, { id, identity }: Args) =>
  db
    .selectFrom('sites')
    .leftJoin('members', (join) => join.onRef('members.org_id', '=', 'sites.org_id').on('identity_id', '=', identity))
    .where('sites.id', '=', id)
    .select(['sites.org_id', 'role']),
);

const ofGateway = prepared((db, { id, identity }: Args) =>
  db
    .selectFrom('gateways')
    .leftJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'gateways.org_id').on('identity_id', '=', identity),
    )
    .where('serial', '=', id)
    .where('gateways.org_id', 'is not', null)
    .select((row) => [row.ref('gateways.org_id').$notNull().as('org_id'), 'role']),
);

const ofDevice = prepared((db, { id, identity }: Args) =>
  db
    .selectFrom('devices')
    .leftJoin('members', (join) => join.onRef('members.org_id', '=', 'devices.org_id').on('identity_id', '=', identity))
    .where('devices.id', '=', id)
    .select(['devices.org_id', 'role']),
);

const ofDer = prepared((db, { id, identity }: Args) =>
  db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .leftJoin('members', (join) => join.onRef('members.org_id', '=', 'devices.org_id').on('identity_id', '=', identity))
    .where('ders.id', '=', id)
    .select(['devices.org_id', 'role']),
);

const lookups: Record<ObjectKind, (db: Db, args: Args) => Promise<ObjectAccess[]>> = {
  organization: inOrganization,
  site: ofSite,
  gateway: ofGateway,
  device: ofDevice,
  der: ofDer,
};

/** Returns synchronously when the answer is cached. */
export const findObjectAccess = (
  db: Db,
  kind: ObjectKind,
  id: string,
  identity: string,
): ObjectAccess | undefined | Promise<ObjectAccess | undefined> =>
  cached(db, `access ${kind} ${id} ${identity}`, () => takeFirst(lookups[kind](db, { id, identity })));
