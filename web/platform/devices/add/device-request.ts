import type { DeviceListing } from '#contract/cloud/devices.ts';
import { allowedDerTypes, type DerTypeId, type DeviceTypeId, derKindOf, derTypeOf } from '#contract/der.ts';
import type { DeviceEntry } from '#contract/gateway/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';

/** A provisioning request without site, gateway and name. */
export type DeviceRequest = { hardware_id: string; device_type: string; ders: { name: string; type: DerTypeId }[] };

/** Returns the DER types of a device type, one per name under which the gateway sends it. */
export function derChoices(type: DeviceTypeId): DerTypeId[] {
  const allowed = allowedDerTypes(type);
  return allowed.filter((der, i) => allowed.findIndex((other) => derKindOf[other] === derKindOf[der]) === i);
}

export const manualRequest = (hardwareId: string, type: DeviceTypeId, ders: readonly DerTypeId[]): DeviceRequest => ({
  hardware_id: hardwareId.trim(),
  device_type: type,
  ders: derChoices(type)
    .filter((der) => ders.includes(der))
    .map((der) => ({ name: derKindOf[der], type: der })),
});

type Entry = Pick<DeviceEntry, 'sn' | 'device_type'> & { ders: readonly { type: DerKind; enabled: boolean }[] };

/** Returns the kinds that the gateway sends, or all kinds if it sends none yet. */
export function defaultKinds({ ders }: Entry): DerKind[] {
  const sent = ders.filter(({ enabled }) => enabled);
  return (sent.length > 0 ? sent : ders).map(({ type }) => type);
}

/** Returns the DER type of a kind. A sub-meter measures a load, not the grid connection. */
export const derTypeFor = (kind: DerKind, isSubMeter: boolean): DerTypeId =>
  isSubMeter && kind === 'meter' ? 'load' : derTypeOf(kind); // every kind of a gateway is an alias of a type

export function entryRequest(
  { sn, device_type }: Entry,
  kinds: readonly DerKind[],
  { isSubMeter }: { isSubMeter: boolean },
): DeviceRequest {
  return {
    hardware_id: sn,
    device_type: isSubMeter ? 'meter' : device_type,
    ders: kinds.map((kind) => ({ name: kind, type: derTypeFor(kind, isSubMeter) })),
  };
}

/** Returns the devices of a site that this gateway reads, by serial number. Two gateways may each have a p1_meter. */
export const devicesOfGateway = <Listed extends Pick<DeviceListing, 'hardware_id' | 'gateway_serial' | 'state'>>(
  serial: string,
  listed: readonly Listed[],
): Map<string, Listed> =>
  new Map(
    listed
      .filter(({ gateway_serial, state }) => gateway_serial === serial && state !== 'orphaned')
      .map((device) => [device.hardware_id, device]),
  );
