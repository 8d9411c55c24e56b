import { type Command, type CommandStatus, commandStatuses, ended } from '#contract/cloud/commands.ts';
import { controlOf, maxPowerOf, takesCommands } from '#contract/command.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { dayMs, formatTime } from '#contract/time.ts';
import { type ControlKind, commandTopic } from '#contract/topics.ts';
import { newId } from '#lib/id.ts';
import type { Caller } from '../access/caller.ts';
import type { Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { deleteOldCommands, insertCommand, lastExpiry } from '../store/commands.ts';
import { getDer, getDevice } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';
import { findName } from '../store/names.ts';
import { deleteOldOrders, lastOrderEnd } from '../store/orders.ts';
import type { CommandRow, DerRow, DeviceRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { endOpenOrder } from './orders.ts';

export type AskedCommand = { power_w: number; ttl_s: number };

export type LatestOf = (no: number) => Promise<Record<string, unknown> | null>;

export type QueuedCommand = { command: CommandRow; siteId: string; topic: string; payload: string };

/** Stores a command, to be sent after the commit. It replaces an order for the DER. */
export async function queueCommand(
  derId: string,
  { power_w, ttl_s }: AskedCommand,
  context: Context,
  latestOf: LatestOf,
): Promise<QueuedCommand> {
  const { db, now, caller } = context;
  const target = await findAddressee(db, derId);
  checkPower(target, power_w, await latestOf(target.der.no));
  const order = await endOpenOrder(db, derId, 'replaced', now);
  const queued = await storeCommand(db, target, now, {
    power_w,
    ttl_s,
    created_by: caller.identityId,
    created_by_name: await findName(db, 'identity', caller.identityId),
    order_id: null,
  });
  const details = { der_id: derId, power_w, ttl_s, ...(order && { order_id: order.id }) };
  await audit(context, target.device.org_id, 'command.created', queued.command.id, details);
  return queued;
}

/** Refuses a power that the DER cannot have, or that is more than the device has reported to support. */
export function checkPower({ control }: CommandTarget, power_w: number, latest: Record<string, unknown> | null): void {
  if (control === 'pv' && power_w < 0) {
    throw fieldProblem('unprocessable', 'body.power_w', 'a generation limit must not be negative');
  }
  const max = maxPowerOf(latest, power_w < 0);
  if (max !== undefined && Math.abs(power_w) > max) {
    throw fieldProblem('unprocessable', 'body.power_w', `must be at most ${max} W, which the device supports`);
  }
}

type NewCommand = AskedCommand & Pick<CommandRow, 'created_by' | 'created_by_name' | 'order_id'>;

/** Stores a command without checks. */
export async function storeCommand(
  db: Db,
  { der, device, topic }: CommandTarget,
  now: number,
  { power_w, ttl_s, ...origin }: NewCommand,
): Promise<QueuedCommand> {
  const command: CommandRow = {
    id: newId('cmd', now),
    der_id: der.id,
    org_id: device.org_id,
    gateway_serial: device.gateway_serial,
    power_w,
    ttl_s,
    status: 'queued',
    created_at: now,
    expires_at: now + ttl_s * 1000,
    history: JSON.stringify([{ status: 'queued', at: formatTime(now) }]),
    ...origin,
  };
  await insertCommand(db, command);
  return {
    command,
    siteId: device.site_id,
    topic,
    payload: JSON.stringify({ power_w, command_id: command.id, ttl_s, timestamp: now }),
  };
}

// A command only moves forward; an ended one stays ended.
const isOver = (status: CommandStatus): boolean => status === 'failed' || status === 'released';

export function mayMove(from: CommandStatus, to: CommandStatus): boolean {
  if (from === 'expired') return to === 'released';
  return !isOver(from) && commandStatuses.indexOf(to) > commandStatuses.indexOf(from);
}

/** Returns the command with a new status in its history. */
export function moved(command: CommandRow, status: CommandStatus, now: number, message?: string): CommandRow {
  const step = { status, at: formatTime(now), ...(message && { message }) };
  return { ...command, status, history: JSON.stringify([...JSON.parse(command.history), step]) };
}

export const commandOf = (row: CommandRow): Command => ({
  id: row.id,
  der_id: row.der_id,
  power_w: row.power_w,
  ttl_s: row.ttl_s,
  status: row.status,
  created_at: formatTime(row.created_at),
  expires_at: formatTime(row.expires_at),
  history: JSON.parse(row.history),
  ...(row.created_by !== null && { created_by: row.created_by }),
  ...(row.order_id !== null && { order_id: row.order_id }),
});

/** Returns a command with the name of its sender, for people; an application was not granted the names of others. */
export const commandFor =
  ({ application }: Caller) =>
  (row: CommandRow): Command => ({
    ...commandOf(row),
    ...(!application && row.created_by_name !== null && { created_by_name: row.created_by_name }),
  });

export type CommandTarget = { der: DerRow; device: DeviceRow; control: ControlKind; topic: string };

/** Returns the command topic of a DER. Throws if it takes no commands or is orphaned. */
export async function findAddressee(db: Db, derId: string): Promise<CommandTarget> {
  const der = await getDer(db, derId);
  const device = await getDevice(db, der.device_id);
  if (!takesCommands(der.type)) throw new Problem('unprocessable', `A DER of type ${der.type} takes no commands.`);
  if (device.state === 'orphaned') {
    throw new Problem(
      'conflict',
      'This device is orphaned: its gateway was released, or went to another organization. ' +
        'Claim the gateway, and provision the device again.',
    );
  }
  const control = controlOf[der.type];
  return { der, device, control, topic: commandTopic(device.gateway_serial, control, device.hardware_id) };
}

const maxBatchSize = 500; // in one transaction: others wait for it

/**
 * Deletes commands and orders that ended before the retention period. A clock that is far ahead of the last command deletes
 * nothing.
 */
export async function forgetEnded(store: Store, now: number, keptMs: number): Promise<void> {
  const before = Math.min(now, (await lastExpiry(store.db, ended)) + dayMs) - keptMs;
  while (
    (await store.write(({ db }) => deleteOldCommands(db, { statuses: ended, before, limit: maxBatchSize }))) ===
    maxBatchSize
  );
  const ordersBefore = Math.min(now, (await lastOrderEnd(store.db)) + dayMs) - keptMs;
  while ((await store.write(({ db }) => deleteOldOrders(db, ordersBefore, maxBatchSize))) === maxBatchSize);
}
