import type { Ohmstead } from '#contract/client/connect.ts';
import { type Device, type DeviceListing, getDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices, listSites, type Site } from '#contract/cloud/sites.ts';

/** Those of a site that came by this gateway. Only a device itself tells its gateway: the fewer are meant, the sooner. */
export async function devicesBehind(
  api: Ohmstead,
  { id: site_id }: Site,
  serial: string,
  isMeant: (device: DeviceListing) => boolean,
): Promise<Device[]> {
  const listed = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  const devices: Device[] = [];
  for (const { id: device_id } of listed.filter(isMeant)) {
    devices.push(await api.call(getDevice, { params: { device_id } }));
  }
  return devices.filter(({ gateway_serial }) => gateway_serial === serial);
}

/** What an organization had by this gateway before it went. */
export async function orphansBehind(api: Ohmstead, org_id: string, serial: string): Promise<Device[]> {
  const orphans: Device[] = [];
  for await (const site of api.pages(listSites, { query: { org_id } })) {
    orphans.push(...(await devicesBehind(api, site, serial, ({ state }) => state === 'orphaned')));
  }
  return orphans;
}
