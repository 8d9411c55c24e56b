import type { P1Format, P1Keys } from '../frame.ts';

// For tests: a message of a meter, and what it says.

export type TestMeter = {
  name: string;
  format: P1Format;
  bytes: Buffer;
  keys?: P1Keys;
  /** nothing in the message proves that it arrived as it was sent */
  isUnchecked?: true;
  device_id: string;
  meter: Record<string, number>;
  equipment_id?: string;
  meter_time?: string;
  isUnverified?: true;
};

/** What a decoder must tell of a meter. */
export const expectedOf = ({ format, device_id, meter, equipment_id, meter_time, isUnverified }: TestMeter) => ({
  format,
  device_id,
  meter,
  ...(equipment_id && { equipment_id }),
  ...(meter_time && { meter_time }),
  ...(isUnverified && { isUnverified }),
});
