import type { CommandStatus } from '#contract/cloud/commands.ts';
import type { Db } from './engine.ts';
import type { CommandRow } from './schema.ts';
import { column, table } from './table.ts';

const commands = table('commands');

export const insertCommand = commands.insert();
export const findCommand = commands.find('id');
export const updateCommandStatus = commands.update(['id'], 'status', 'history');
/** Lists the commands of a DER, newest first. */
export const listCommands = commands.pages(['der_id'], 'id', 'desc');

/** Lists the commands of a DER with a status that are older than another. */
export const listOlderCommands = commands.list(['der_id', 'status', 'id <'], 'id');

type ActiveCommands = { statuses: readonly CommandStatus[]; now: number };

/** Selects DERs with an unexpired command in one of these statuses. Orphaned devices were released with their gateway. */
const commandedDers = (db: Db, { statuses, now }: ActiveCommands) =>
  db
    .selectFrom('commands')
    .innerJoin('ders', 'ders.id', 'commands.der_id')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('commands.status', 'in', statuses)
    .where('commands.expires_at', '>', now)
    .where('devices.state', '!=', 'orphaned')
    .select('ders.id')
    .distinct();

export const listCommandedOfGateway = (
  db: Db,
  serial: string,
  orgId: string,
  active: ActiveCommands,
): Promise<string[]> => {
  const ofGateway = commandedDers(db, active).where('commands.gateway_serial', '=', serial);
  return column('id', ofGateway.where('commands.org_id', '=', orgId));
};

export const listCommandedOfDevice = (db: Db, deviceId: string, active: ActiveCommands): Promise<string[]> =>
  column('id', commandedDers(db, active).where('devices.id', '=', deviceId));

/** Lists expired commands in one of these statuses, at most 1000. */
export const listOverdueCommands = (db: Db, statuses: readonly CommandStatus[], now: number): Promise<CommandRow[]> =>
  db
    .selectFrom('commands')
    .where('status', 'in', statuses)
    .where('expires_at', '<=', now)
    .selectAll()
    .limit(1000)
    .execute();

/** Returns the latest expiry of the commands in one of these statuses, or 0. */
export async function lastExpiry(db: Db, statuses: readonly CommandStatus[]): Promise<number> {
  let last = 0;
  for (const status of statuses) {
    const ofStatus = db.selectFrom('commands').where('status', '=', status);
    const row = await ofStatus.select(({ fn }) => fn.max('expires_at').as('last')).executeTakeFirst();
    last = Math.max(last, row?.last ?? 0);
  }
  return last;
}

/** Deletes at most `limit` commands in one of these statuses that expired before an instant, and returns their number. */
export async function deleteOldCommands(
  db: Db,
  { statuses, before, limit }: { statuses: readonly CommandStatus[]; before: number; limit: number },
): Promise<number> {
  const old = db
    .selectFrom('commands')
    .where('status', 'in', statuses)
    .where('expires_at', '<', before)
    .select('id')
    .limit(limit);
  const { numDeletedRows } = await db.deleteFrom('commands').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
