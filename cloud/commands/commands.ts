import { type Command, type CommandStatus, commandStatuses } from '#contract/cloud/commands.ts';
import { fieldProblem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import type { Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { insertCommand } from '../store/commands.ts';
import type { CommandRow } from '../store/schema.ts';
import { findAddressee } from './addressee.ts';

export type AskedCommand = { power_w: number; ttl_s: number };

export type QueuedCommand = { command: CommandRow; siteId: string; topic: string; payload: string };

/** Notes a command that is to be sent once this is committed. */
export async function queueCommand(
  derId: string,
  { power_w, ttl_s }: AskedCommand,
  context: Context,
): Promise<QueuedCommand> {
  const { db, now } = context;
  const { der, device, control, topic } = await findAddressee(db, derId);
  if (control === 'pv' && power_w < 0) {
    throw fieldProblem('unprocessable', 'body.power_w', 'the most that may be generated is not negative');
  }
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
  };
  await insertCommand(db, command);
  await audit(context, device.org_id, 'command.created', command.id, { der_id: der.id, power_w, ttl_s });
  return {
    command,
    siteId: device.site_id,
    topic,
    payload: JSON.stringify({ power_w, command_id: command.id, ttl_s, timestamp: now }),
  };
}

// A command goes forward only; what is over stays over.
const isOver = (status: CommandStatus): boolean => status === 'failed' || status === 'released';

export function mayMove(from: CommandStatus, to: CommandStatus): boolean {
  if (from === 'expired') return to === 'released';
  return !isOver(from) && commandStatuses.indexOf(to) > commandStatuses.indexOf(from);
}

/** The command one step further. */
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
});
