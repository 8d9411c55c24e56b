import { timeNow } from '../parts/now.ts';

// A gateway without a battery-backed clock and without the internet does not know what time it is.
const toleratedMs = 2000; // the header counts seconds, and was on its way

let aheadMs = 0;

/** The header Date of an answer. */
export function hearTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - timeNow();
  if (Number.isNaN(difference)) return;
  aheadMs = Math.abs(difference) > toleratedMs ? difference : 0;
}

/** A time of the gateway, by the clock of this browser. */
export const byOurClock = (gatewayMs: number): number => gatewayMs - aheadMs;

/** How far the two are apart. */
export const clockDifferenceMs = (): number => aheadMs;
