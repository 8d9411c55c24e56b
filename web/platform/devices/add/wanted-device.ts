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
