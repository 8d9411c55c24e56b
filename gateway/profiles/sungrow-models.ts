import { input } from './map/point.ts';

export const deviceType = input('u16', 4999);

/** Hybrid inverters have the 13xxx registers; string inverters have none of them. */
export const isHybrid = (code: number): boolean => code >> 8 === 0x0d || code >> 8 === 0x0e;
