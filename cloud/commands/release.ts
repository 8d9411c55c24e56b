import { heldCommand, type Release, underWay } from '#contract/cloud/commands.ts';
import { takesCommands } from '#contract/command.ts';
import type { Context } from '../access/door.ts';
import { idOf } from '../access/paging.ts';
import { audit } from '../organizations/audit.ts';
import { listCommandedOfDevice, listCommandedOfGateway, listCommands } from '../store/commands.ts';
import { listDers, listDevices } from '../store/devices.ts';
import { commandOf, findAddressee } from './commands.ts';
import { endOpenOrder, orderFor } from './orders.ts';

export type QueuedRelease = { release: Release; topic: string; payload: string };

export type SendRelease = (queued: QueuedRelease) => void;

export const newest = { after: undefined, limit: 20 }; // the command that holds a DER is nearly always the first
const allDevices = { after: undefined, limit: 10_000 };

/** Records the release of a DER, which ends an order for it, to be sent to its gateway after the commit. */
export async function queueRelease(derId: string, context: Context): Promise<QueuedRelease> {
  const { db, now } = context;
  const { der, device, topic } = await findAddressee(db, derId);
  const command = heldCommand((await listCommands(db, newest, der.id)).map(commandOf));
  const order = await endOpenOrder(db, der.id, 'person', now);
  await audit(context, device.org_id, 'der.released', der.id, {
    ...(command && { command_id: command.id }),
    ...(order && { order_id: order.id }),
  });
  const ended = order && orderFor(context.caller)(order);
  return {
    release: { der_id: der.id, ...(command && { command }), ...(ended && { order: ended }) },
    topic,
    payload: JSON.stringify({ action: 'release', timestamp: now }),
  };
}

/** Releases every commanded DER of a gateway, so that its next owner finds it in automatic mode. */
export async function releaseGateway(
  serial: string,
  orgId: string,
  context: Context,
  send: SendRelease,
): Promise<void> {
  const { db, now } = context;
  await releaseAll(await listCommandedOfGateway(db, serial, orgId, { statuses: underWay, now }), context, send);
}

/** Releases the commanded DERs of a device, or one of them, before it is deleted; afterwards nobody could. */
export async function releaseDevice(
  deviceId: string,
  context: Context,
  send: SendRelease,
  derId?: string,
): Promise<void> {
  const { db, now } = context;
  const commanded = await listCommandedOfDevice(db, deviceId, { statuses: underWay, now });
  await releaseAll(derId === undefined ? commanded : commanded.filter((id) => id === derId), context, send);
}

async function releaseAll(derIds: readonly string[], context: Context, send: SendRelease): Promise<void> {
  const queued = await Array.fromAsync(derIds, (id) => queueRelease(id, context));
  context.afterCommit(() => queued.forEach(send));
}

/** Records the release of every DER of a site that takes commands. */
export async function queueSiteRelease(siteId: string, context: Context): Promise<QueuedRelease[]> {
  const devices = (await listDevices(context.db, allDevices, siteId)).filter(({ state }) => state !== 'orphaned');
  const ders = await listDers(context.db, devices.map(idOf));
  const taking = [...ders.values()].flat().filter(({ type }) => takesCommands(type));
  return Array.fromAsync(taking, ({ id }) => queueRelease(id, context));
}
