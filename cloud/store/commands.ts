import type { CommandStatus } from '#contract/cloud/commands.ts';
import type { Db } from './engine.ts';
import type { CommandRow } from './schema.ts';
import type { Slice } from './slice.ts';

export async function insertCommand(db: Db, command: CommandRow): Promise<void> {
  await db.insertInto('commands').values(command).execute();
}

export const findCommand = (db: Db, id: string): Promise<CommandRow | undefined> =>
  db.selectFrom('commands').where('id', '=', id).selectAll().executeTakeFirst();

export async function moveCommand(db: Db, id: string, status: CommandStatus, history: string): Promise<void> {
  await db.updateTable('commands').set({ status, history }).where('id', '=', id).execute();
}

/** Newest first. */
export function listCommands(db: Db, derId: string, { after, limit }: Slice): Promise<CommandRow[]> {
  let query = db.selectFrom('commands').where('der_id', '=', derId).selectAll().orderBy('id', 'desc').limit(limit);
  if (after !== undefined) query = query.where('id', '<', after);
  return query.execute();
}

/** The DERs of a gateway that an organization has a command of one of these states for, whose time is not over. */
export async function listCommandedDers(
  db: Db,
  { serial, orgId, statuses, now }: { serial: string; orgId: string; statuses: readonly CommandStatus[]; now: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .where('gateway_serial', '=', serial)
    .where('org_id', '=', orgId)
    .where('status', 'in', statuses)
    .where('expires_at', '>', now)
    .select('der_id')
    .distinct()
    .execute();
  return rows.map(({ der_id }) => der_id);
}

/** Commands in one of these states whose time is over. */
export const listOverdue = (db: Db, statuses: readonly CommandStatus[], now: number): Promise<CommandRow[]> =>
  db
    .selectFrom('commands')
    .where('status', 'in', statuses)
    .where('expires_at', '<=', now)
    .selectAll()
    .limit(1000)
    .execute();
