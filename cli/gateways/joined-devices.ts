import type { Ohmstead } from '#contract/client/connect.ts';
import type { Client } from '#contract/client.ts';
import { type DeviceListing, getDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices, type Site } from '#contract/cloud/sites.ts';
import { type DeviceEntry, listDevices } from '#contract/gateway/devices.ts';
import { getCrypto } from '#contract/gateway/identity.ts';

/** A device as its gateway has it, as the platform has it, or both. */
export type JoinedDevice = { sn: string; gateway: DeviceEntry | null; platform: DeviceListing | null };

export type GatewaySide = { serial: string; devices: DeviceEntry[] };

export type PlatformSide = { devices: DeviceListing[]; serialOf(device: DeviceListing): Promise<string> };

export async function gatewaySide(gateway: Client): Promise<GatewaySide> {
  const { serialNumber: serial } = await gateway.call(getCrypto);
  const { devices } = await gateway.call(listDevices);
  return { serial, devices };
}

export async function platformSide(api: Ohmstead, { id: site_id }: Site): Promise<PlatformSide> {
  return {
    devices: await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } })),
    serialOf: async ({ id }) => (await api.call(getDevice, { params: { device_id: id } })).gateway_serial,
  };
}

/** Those of the gateway first, then those that the site has of other gateways. */
export async function joinSides(
  here: GatewaySide | undefined,
  there: PlatformSide | undefined,
): Promise<JoinedDevice[]> {
  const entries = here?.devices ?? [];
  const platformOf = new Map<string, DeviceListing>();
  for (const device of there?.devices ?? []) {
    // Meters that tell no serial are called alike on every gateway.
    const isHere =
      entries.some(({ sn }) => sn === device.hardware_id) && (await there!.serialOf(device)) === here?.serial;
    if (isHere) platformOf.set(device.hardware_id, device);
  }
  const elsewhere = there?.devices.filter((device) => platformOf.get(device.hardware_id) !== device) ?? [];
  return [
    ...entries.map((entry) => ({ sn: entry.sn, gateway: entry, platform: platformOf.get(entry.sn) ?? null })),
    ...elsewhere.map((device) => ({ sn: device.hardware_id, gateway: null, platform: device })),
  ];
}
