import type { Device, DeviceListing } from '#contract/cloud/devices.ts';
import { allowedDerTypes, type DerTypeId, type DeviceTypeId, derKindOf, derTypeOf } from '#contract/der.ts';
import type { DeviceEntry } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';

/** What is told of a device when it is added, beside where it is and what it is called. */
export type Wanted = { hardware_id: string; device_type: string; ders: { name: string; type: DerTypeId }[] };

/** The DERs that a device of this type may have, each name once: it is the one under which the gateway sends it. */
export function derChoices(type: DeviceTypeId): DerTypeId[] {
  const allowed = allowedDerTypes(type);
  return allowed.filter((der, i) => allowed.findIndex((other) => derKindOf[other] === derKindOf[der]) === i);
}

export const wantedByHand = (hardwareId: string, type: DeviceTypeId, ders: readonly DerTypeId[]): Wanted => ({
  hardware_id: hardwareId.trim(),
  device_type: type,
  ders: derChoices(type)
    .filter((der) => ders.includes(der))
    .map((der) => ({ name: derKindOf[der], type: der })),
});

type Entry = Pick<DeviceEntry, 'sn' | 'device_type'> & { ders: readonly { type: DerKind; enabled: boolean }[] };

/** Those that the gateway sends; all of them when it sends none yet. */
export function usualKinds({ ders }: Entry): DerKind[] {
  const sent = ders.filter(({ enabled }) => enabled);
  return (sent.length > 0 ? sent : ders).map(({ type }) => type);
}

/** A meter of one circuit measures a load of the house, not the grid connection. */
export function wantedFromEntry(
  { sn, device_type }: Entry,
  kinds: readonly DerKind[],
  { isSubMeter }: { isSubMeter: boolean },
): Wanted {
  return {
    hardware_id: sn,
    device_type: isSubMeter ? 'meter' : device_type,
    ders: kinds.map((kind) => ({ name: kind, type: isSubMeter && kind === 'meter' ? 'load' : derTypeOf(kind)! })),
  };
}

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
