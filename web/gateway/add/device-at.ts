import type { DeviceEntry, detectDevice } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';

export type Detection = ReplyOf<typeof detectDevice>;
export type Candidate = Detection['candidates'][number];

/** Finds the device that the gateway already reads at an address, or with the serial number found there. */
export const findDeviceAt = (
  { ip, port }: Pick<Detection, 'ip' | 'port'>,
  { unit_id, serial }: Pick<Candidate, 'unit_id' | 'serial'>,
  devices: readonly DeviceEntry[],
): DeviceEntry | undefined =>
  devices.find(
    (entry) =>
      (entry.type === 'modbus_tcp' && entry.ip === ip && entry.port === port && entry.unit_id === unit_id) ||
      (serial !== undefined && entry.sn === serial),
  );
