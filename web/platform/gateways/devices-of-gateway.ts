import { type Device, getDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices, listSites } from '#contract/cloud/sites.ts';
import { gather } from '../../parts/gather.ts';
import { api } from '../session.ts';

export type GatewayDevice = Device & { siteName: string };

/** The devices of a gateway. Only a device itself tells its gateway, so they are sought site by site until all are found. */
export async function devicesOfGateway(
  { serial, orgId, count }: { serial: string; orgId: string; count: number },
  signal: AbortSignal,
): Promise<GatewayDevice[]> {
  const found: GatewayDevice[] = [];
  for await (const site of api().pages(listSites, { query: { org_id: orgId }, signal })) {
    if (found.length >= count) break;
    const listed = await gather(api().pages(listSiteDevices, { params: { site_id: site.id }, signal }));
    const devices = await Promise.all(
      listed
        .filter(({ state }) => state !== 'orphaned')
        .map(({ id }) => api().call(getDevice, { params: { device_id: id }, signal })),
    );
    const own = devices.filter(({ gateway_serial }) => gateway_serial === serial);
    found.push(...own.map((device) => ({ ...device, siteName: site.name })));
  }
  return found;
}
