import { holding, input } from './map/point.ts';

export const deviceType = input('u16', 4999);

/** Hybrid inverters have the 13xxx registers; string inverters have none of them. */
export const isHybrid = (code: number): boolean => code >> 8 === 0x0d || code >> 8 === 0x0e;

/** The most that the battery charges and discharges: what control allows, and the rated power that is shown. */
export const batteryLimits = {
  charge_W: holding('u16', 33046, { scale: 10 }),
  discharge_W: holding('u16', 33047, { scale: 10 }),
};
