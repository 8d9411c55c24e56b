import type { Context } from '../access/door.ts';
import { type LetGo, letGoOfGateway } from '../commands/release.ts';
import { countingCells } from '../store/cells.ts';
import { listGatewayDevices, orphanDevices } from '../store/devices.ts';

/** Who hears that a gateway leaves, once it has. */
export type Leaving = { letGo: LetGo; tellOrphaned(device: { id: string; site_id: string }): void };

/** The devices of a gateway that left are let go, and stay readable in its old organization, without new data. */
export async function orphan(serial: string, orgId: string, context: Context, leaving: Leaving): Promise<void> {
  const { db } = context;
  await letGoOfGateway(serial, orgId, context, leaving.letGo); // while the gateway is still connected
  const devices = await listGatewayDevices(db, serial, orgId);
  const siteIds = [...new Set(devices.map(({ site_id }) => site_id))];
  await countingCells(db, siteIds, () => orphanDevices(db, serial, orgId));
  context.afterCommit(() => devices.forEach(leaving.tellOrphaned));
}
