import type { P1Format, P1Keys } from '../frame.ts';

// For tests: a message of a meter, and its values.

export type TestMeter = {
  name: string;
  format: P1Format;
  bytes: Buffer;
  keys?: P1Keys;
  /** the message has no check */
  isUnchecked?: true;
  device_id: string;
  meter: Record<string, number>;
  equipment_id?: string;
  meter_time?: string;
  isUnverified?: true;
};

/** Returns the frame that a decoder must give for a meter. */
export const expectedOf = ({ format, device_id, meter, equipment_id, meter_time, isUnverified }: TestMeter) => ({
  format,
  device_id,
  meter,
  ...(equipment_id && { equipment_id }),
  ...(meter_time && { meter_time }),
  ...(isUnverified && { isUnverified }),
});
