import type { Ohmstead } from '#contract/client/connect.ts';
import type { Client } from '#contract/client.ts';
import type { DeviceListing } from '#contract/cloud/devices.ts';
import { listSiteDevices, listSites } from '#contract/cloud/sites.ts';
import { type DeviceEntry, listDevices, listSupported, type SupportedProfile } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { Problem } from '#contract/problem.ts';
import { didYouMean } from '../line/nearest.ts';

export async function findDevice(gateway: Client, sn: string): Promise<DeviceEntry> {
  const { devices } = await gateway.call(listDevices);
  const found = devices.find((entry) => entry.sn === sn);
  if (found) return found;
  const serials = devices.map((entry) => entry.sn);
  const known = serials.length > 0 ? `it has ${serials.join(', ')}` : 'it has no devices';
  throw new Problem('not_found', `The gateway has no device "${sn}": ${known}${didYouMean(sn, serials)}`);
}

/** Selects DERs of a device from a comma-separated list; all of them without one. */
export function chooseDers({ sn, ders }: DeviceEntry, given: string | undefined): DerKind[] {
  const kinds = ders.map(({ type }) => type);
  if (given === undefined) return kinds;
  return given.split(',').map((word) => {
    const kind = kinds.find((known) => known === word);
    if (kind) return kind;
    throw new Problem('not_found', `${sn} has no "${word}"; it has ${kinds.join(', ')}${didYouMean(word, kinds)}`);
  });
}

/** Lists the device profiles that the gateway supports, of all categories. */
export async function listProfiles(gateway: Client): Promise<SupportedProfile[]> {
  const { count: _, ...categories } = await gateway.call(listSupported);
  return Object.values(categories).flatMap((category) => (typeof category === 'number' ? [] : category));
}

export async function findProfile(gateway: Client, given: string): Promise<SupportedProfile> {
  const profiles = await listProfiles(gateway);
  const found = profiles.find(({ profile }) => profile === given);
  if (found) return found;
  const names = profiles.map(({ profile }) => profile);
  const sentence = `The gateway does not support "${given}"${didYouMean(given, names)} See ohmstead device types.`;
  throw new Problem('not_found', sentence);
}

/** Lists the devices of a site that belong to this gateway. */
export async function listGatewayDevices(api: Ohmstead, site_id: string, serial: string): Promise<DeviceListing[]> {
  const listed = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  return listed.filter(({ gateway_serial }) => gateway_serial === serial);
}

export type Orphan = Pick<DeviceListing, 'hardware_id'> & { site_id: string };

/** Lists the orphaned devices that this gateway had in an organization. */
export async function listOrphans(api: Ohmstead, org_id: string, serial: string): Promise<Orphan[]> {
  const orphans: Orphan[] = [];
  for await (const { id: site_id } of api.pages(listSites, { query: { org_id } })) {
    const devices = (await listGatewayDevices(api, site_id, serial)).filter(({ state }) => state === 'orphaned');
    orphans.push(...devices.map(({ hardware_id }) => ({ hardware_id, site_id })));
  }
  return orphans;
}
