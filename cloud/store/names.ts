import type { Db } from './engine.ts';
import { first, prepared } from './prepared.ts';
import { table } from './table.ts';

const ofDer = first(
  prepared((db, id: string) =>
    db
      .selectFrom('ders')
      .innerJoin('devices', 'devices.id', 'ders.device_id')
      .where('ders.id', '=', id)
      .select(['ders.name', 'devices.name as device']),
  ),
);

/** Queries for the name of an object by the subject of an audit action. A gateway has no name: its serial could be any id. */
const finders: Record<string, (db: Db, id: string) => Promise<string | null | undefined>> = {
  member: named('identities'),
  identity: named('identities'),
  organization: named('organizations'),
  site: named('sites'),
  device: named('devices'),
  invitation: named('invitations'),
  oauth_client: named('oauth_clients'),
  async der(db, id) {
    const der = await ofDer(db, id);
    return der && `${der.device}: ${der.name}`;
  },
};

function named(of: 'identities' | 'organizations' | 'sites' | 'devices' | 'invitations' | 'oauth_clients') {
  const find = table(of).find('id');
  return async (db: Db, id: string): Promise<string | null | undefined> => (await find(db, id))?.name;
}

/** Returns the name of an object of an audit entry; null without one. */
export const findName = async (db: Db, subject: string, id: string): Promise<string | null> =>
  (await finders[subject]?.(db, id)) ?? null;

/** Returns the names of identities that have one, with one query. */
export async function listNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const named = db.selectFrom('identities').where('id', 'in', ids).where('name', 'is not', null);
  const rows = await named.select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name!]));
}
