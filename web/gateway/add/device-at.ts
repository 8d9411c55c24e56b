import type { DeviceEntry, detectDevice } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';

export type Detection = ReplyOf<typeof detectDevice>;
export type Candidate = Detection['candidates'][number];

/**
 * The device that the gateway reads at the place where this was found, or under its serial: the same device may be
 * reached by a name and by an address.
 */
export const deviceAt = (
  { ip, port }: Pick<Detection, 'ip' | 'port'>,
  { unit_id, serial }: Pick<Candidate, 'unit_id' | 'serial'>,
  devices: readonly DeviceEntry[],
): DeviceEntry | undefined =>
  devices.find(
    (entry) =>
      (entry.type === 'modbus_tcp' && entry.ip === ip && entry.port === port && entry.unit_id === unit_id) ||
      (serial !== undefined && entry.sn === serial),
  );
