import { heldCommand, type Release, underWay } from '#contract/cloud/commands.ts';
import { takesCommands } from '#contract/command.ts';
import type { Context } from '../access/door.ts';
import { audit } from '../organizations/audit.ts';
import { listCommandedOfDevice, listCommandedOfGateway, listCommands } from '../store/commands.ts';
import { type DerWithSite, listDers, listDevices } from '../store/devices.ts';
import { commandOf, findAddressee } from './commands.ts';

export type QueuedRelease = { release: Release; topic: string; payload: string };

/** Sends a release to a gateway. */
export type LetGo = (queued: QueuedRelease) => void;

const newest = { after: undefined, limit: 20 }; // the command that holds a DER is nearly always the first
const allDevices = { after: undefined, limit: 10_000 };

/** Records the release of a DER, to be sent to its gateway after the commit. */
export async function queueRelease(derId: string, context: Context): Promise<QueuedRelease> {
  const { db, now } = context;
  const { der, device, topic } = await findAddressee(db, derId);
  const command = heldCommand((await listCommands(db, der.id, newest)).map(commandOf));
  await audit(context, device.org_id, 'der.released', der.id, command && { command_id: command.id });
  return {
    release: { der_id: der.id, ...(command && { command }) },
    topic,
    payload: JSON.stringify({ action: 'release', timestamp: now }),
  };
}

/** Releases every commanded DER of a gateway, so that its next owner finds it in automatic mode. */
export async function letGoOfGateway(serial: string, orgId: string, context: Context, letGo: LetGo): Promise<void> {
  const { db, now } = context;
  await letGoOf(await listCommandedOfGateway(db, serial, orgId, { statuses: underWay, now }), context, letGo);
}

/** Releases a device before it is deleted; afterwards nobody could. */
export async function letGoOfDevice(deviceId: string, context: Context, letGo: LetGo): Promise<void> {
  const { db, now } = context;
  await letGoOf(await listCommandedOfDevice(db, deviceId, { statuses: underWay, now }), context, letGo);
}

/** Releases one DER before it is deleted. */
export async function letGoOfDer(der: DerWithSite, context: Context, letGo: LetGo): Promise<void> {
  const { db, now } = context;
  const held = await listCommandedOfDevice(db, der.device_id, { statuses: underWay, now });
  await letGoOf(
    held.filter((id) => id === der.id),
    context,
    letGo,
  );
}

async function letGoOf(derIds: readonly string[], context: Context, letGo: LetGo): Promise<void> {
  const queued: QueuedRelease[] = [];
  for (const id of derIds) queued.push(await queueRelease(id, context));
  context.afterCommit(() => queued.forEach(letGo));
}

/** Records the release of every DER of a site that takes commands. */
export async function queueSiteRelease(siteId: string, context: Context): Promise<QueuedRelease[]> {
  const { db } = context;
  const devices = (await listDevices(db, siteId, allDevices)).filter(({ state }) => state !== 'orphaned');
  const ders = await listDers(
    db,
    devices.map(({ id }) => id),
  );
  const releases: QueuedRelease[] = [];
  for (const { id } of [...ders.values()].flat().filter(({ type }) => takesCommands(type)))
    releases.push(await queueRelease(id, context));
  return releases;
}
