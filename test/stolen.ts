import { readFileSync } from 'node:fs';

/** Time of all processors, in ticks: the whole, and what the host of this machine gave to other machines. */
export type Ticks = { whole: number; stolen: number };

export function ticksNow(): Ticks {
  if (process.platform !== 'linux') return { whole: 0, stolen: 0 }; // it is not told
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.split(/\s+/);
  const ticks = fields.slice(0, 8).map(Number); // those of guests, behind them, are counted in the first two
  return { whole: ticks.reduce((sum, each) => sum + each), stolen: ticks[7]! };
}

/** The part of the processors that the host has given to others since then. */
export function stolenSince(before: Ticks, now = ticksNow()): number {
  const whole = now.whole - before.whole;
  return whole > 0 ? (now.stolen - before.stolen) / whole : 0;
}
