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

/** Older commands of the same DER that are in this state. */
export const listOlder = (db: Db, { id, der_id }: CommandRow, status: CommandStatus): Promise<CommandRow[]> =>
  db
    .selectFrom('commands')
    .where('der_id', '=', der_id)
    .where('id', '<', id)
    .where('status', '=', status)
    .selectAll()
    .execute();

type Held = { statuses: readonly CommandStatus[]; now: number };

/** DERs with a command in one of these states whose time is not over. What left with its gateway was let go then. */
const commandedDers = (db: Db, { statuses, now }: Held) =>
  db
    .selectFrom('commands')
    .innerJoin('ders', 'ders.id', 'commands.der_id')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('commands.status', 'in', statuses)
    .where('commands.expires_at', '>', now)
    .where('devices.state', '!=', 'orphaned')
    .select('ders.id')
    .distinct();

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export const listCommandedOfGateway = async (db: Db, serial: string, orgId: string, held: Held): Promise<string[]> =>
  idsOf(
    await commandedDers(db, held)
      .where('commands.gateway_serial', '=', serial)
      .where('commands.org_id', '=', orgId)
      .execute(),
  );

export const listCommandedOfDevice = async (db: Db, deviceId: string, held: Held): Promise<string[]> =>
  idsOf(await commandedDers(db, held).where('devices.id', '=', deviceId).execute());

/** Commands in one of these states whose time is over. */
export const listOverdue = (db: Db, statuses: readonly CommandStatus[], now: number): Promise<CommandRow[]> =>
  db
    .selectFrom('commands')
    .where('status', 'in', statuses)
    .where('expires_at', '<=', now)
    .selectAll()
    .limit(1000)
    .execute();

/** When the time of the last command in one of these states was, or will be, over; 0 when there is none. */
export async function lastExpiry(db: Db, statuses: readonly CommandStatus[]): Promise<number> {
  let last = 0;
  for (const status of statuses) {
    const row = await db
      .selectFrom('commands')
      .where('status', '=', status)
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    last = Math.max(last, row?.expires_at ?? 0);
  }
  return last;
}

/** Removes commands in one of these states whose time was over before an instant, at most so many; tells how many. */
export async function forgetCommands(
  db: Db,
  { statuses, before, most }: { statuses: readonly CommandStatus[]; before: number; most: number },
): Promise<number> {
  const old = db
    .selectFrom('commands')
    .where('status', 'in', statuses)
    .where('expires_at', '<', before)
    .select('id')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('commands').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
