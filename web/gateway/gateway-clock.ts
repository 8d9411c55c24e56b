import { clockDifference } from '../parts/clock-difference.ts';
import { browserTime } from '../parts/now.ts';

// A gateway without a battery-backed clock and without the internet does not know what time it is: the browser is believed.
let aheadMs = 0;

/** The header Date of an answer. */
export function hearTime(date: string | null): void {
  aheadMs = clockDifference(date, browserTime(), aheadMs);
}

/** A time of the gateway, by the clock of this browser. */
export const byOurClock = (gatewayMs: number): number => gatewayMs - aheadMs;

/** How far the two are apart. */
export const clockDifferenceMs = (): number => aheadMs;
