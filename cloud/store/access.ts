import type { ObjectKind, Role } from '#contract/access.ts';
import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { first, prepared } from './prepared.ts';
import { cached } from './query-cache.ts';

/** The organization that owns an object, and the caller's role there, if any. */
export type ObjectAccess = { org_id: string; role: Role | null };

/** Looks up an object by a column, and its organization in another. */
const lookup = (from: string, idColumn: string, orgColumn: string) =>
  first(
    prepared((_, id: string, identity: string) => {
      const org = sql.ref(orgColumn);
      return sql<ObjectAccess>`select ${org} as org_id, members.role from ${sql.raw(from)}
        left join members on members.org_id = ${org} and members.identity_id = ${identity}
        where ${sql.ref(idColumn)} = ${id} and ${org} is not null`;
    }),
  );

const lookups: Record<ObjectKind, ReturnType<typeof lookup>> = {
  organization: lookup('organizations', 'organizations.id', 'organizations.id'),
  site: lookup('sites', 'sites.id', 'sites.org_id'),
  gateway: lookup('gateways', 'gateways.serial', 'gateways.org_id'),
  device: lookup('devices', 'devices.id', 'devices.org_id'),
  der: lookup('ders inner join devices on devices.id = ders.device_id', 'ders.id', 'devices.org_id'),
};

/** Returns synchronously when the answer is cached. */
export const findObjectAccess = (
  db: Db,
  kind: ObjectKind,
  id: string,
  identity: string,
): ObjectAccess | undefined | Promise<ObjectAccess | undefined> =>
  cached(db, `access ${kind} ${id} ${identity}`, () => lookups[kind](db, id, identity));
