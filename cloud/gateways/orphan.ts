import type { Context } from '../access/door.ts';
import { type QueuedRelease, queueGatewayRelease } from '../commands/release.ts';
import { countingCells } from '../store/cells.ts';
import { listGatewayDevices, orphanDevices } from '../store/devices.ts';

export type Release = (queued: QueuedRelease) => void;

/** The devices of a gateway that left are let go, and stay readable in its old organization, without new data. */
export async function orphan(serial: string, orgId: string, context: Context, release: Release): Promise<void> {
  const { db, afterCommit } = context;
  const held = await queueGatewayRelease(serial, orgId, context);
  afterCommit(() => held.forEach(release)); // while the gateway is still connected
  const devices = await listGatewayDevices(db, serial, orgId);
  const siteIds = [...new Set(devices.map(({ site_id }) => site_id))];
  await countingCells(db, siteIds, () => orphanDevices(db, serial, orgId));
}
