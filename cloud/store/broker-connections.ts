import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { existing, prepared } from './prepared.ts';
import type { BrokerConnectionRow } from './schema.ts';
import { column, table } from './table.ts';

const connections = table('broker_connections');

type Entered = Pick<BrokerConnectionRow, 'epoch' | 'previous_node'>;

/**
 * Records that a client connected to a process. Returns the process it was connected to before, if any. Epochs begin with the
 * time, so that they increase even if the row of an earlier connection has been deleted.
 */
export const enterConnection = existing(
  prepared(
    (_: Db, clientId: string, owner: string, node: string, now: number, expiresAt: number) => sql<Entered>`
      insert into broker_connections (client_id, owner, node, epoch, expires_at)
      values (${clientId}, ${owner}, ${node}, ${now}, ${expiresAt})
      on conflict (client_id) do update set owner = excluded.owner, node = excluded.node, expires_at = excluded.expires_at,
        epoch = broker_connections.epoch + 1, previous_node = broker_connections.node
      returning epoch, previous_node`,
  ),
);

/** A connection of a client: a later one has a higher epoch. */
export type ConnectionKey = { clientId: string; epoch: number };

/** Records that connections ended, unless their clients have connected again. Their rows expire now: clients may choose many ids. */
export async function leaveConnections(db: Db, keys: readonly ConnectionKey[], now: number): Promise<void> {
  const pairs = keys.map(({ clientId, epoch }) => sql`(cast(${clientId} as text), cast(${epoch} as bigint))`);
  await sql`update broker_connections set node = '', expires_at = case when expires_at < ${now} then expires_at else ${now} end
    where (client_id, epoch) in (values ${sql.join(pairs)})`.execute(db);
}

const moveAll = connections.update(['node'], 'node');

/** Records that all connections of a process ended. */
export const leaveAllConnections = (db: Db, node: string): Promise<number> => moveAll(db, node, '');

export const deleteExpiredConnections = connections.delete('expires_at <');

/** Lists clients that connected to another process after this one. */
export const listTakenConnections = connections.list(['previous_node'], 'client_id');

const connected = (db: Db) => db.selectFrom('broker_connections').where('node', '!=', '');

/** Lists the processes that an owner is connected to. */
export const listNodesOf = (db: Db, owner: string): Promise<string[]> =>
  column('node', connected(db).where('owner', '=', owner).select('node').distinct());

/** Returns which of these owners are connected somewhere. */
export const listConnectedOwners = (db: Db, owners: readonly string[]): Promise<string[]> =>
  column('owner', connected(db).where('owner', 'in', owners).select('owner').distinct());
