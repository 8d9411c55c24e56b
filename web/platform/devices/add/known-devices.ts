import type { Device, DeviceListing } from '#contract/cloud/devices.ts';
import type { DeviceEntry } from '#contract/gateway/devices.ts';

type Gateway = { serial: string; devices: readonly Pick<DeviceEntry, 'sn'>[] };

/**
 * The devices of a site that this gateway reads, by their serial. Each of two gateways may have a p1_meter, and the list of
 * a site does not name the gateways; so those that are called alike are asked.
 */
export async function knownDevices(
  { serial, devices }: Gateway,
  listed: readonly Pick<DeviceListing, 'id' | 'hardware_id' | 'state'>[],
  ask: (deviceId: string) => Promise<Device>,
): Promise<Map<string, Device>> {
  const alike = listed.filter(
    ({ hardware_id, state }) => state !== 'orphaned' && devices.some(({ sn }) => sn === hardware_id),
  );
  const asked = await Promise.all(alike.map(({ id }) => ask(id)));
  const own = asked.filter(({ gateway_serial }) => gateway_serial === serial);
  return new Map(own.map((device) => [device.hardware_id, device]));
}
