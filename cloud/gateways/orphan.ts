import { countingCells } from '../store/cells.ts';
import { listGatewayDevices, orphanDevices } from '../store/devices.ts';
import type { Db } from '../store/engine.ts';

/** The devices of a gateway that left stay readable in its old organization, without new data. */
export async function orphan(serial: string, orgId: string, db: Db): Promise<void> {
  const devices = await listGatewayDevices(db, serial, orgId);
  const siteIds = [...new Set(devices.map(({ site_id }) => site_id))];
  await countingCells(db, siteIds, () => orphanDevices(db, serial, orgId));
}
