import type { Values } from '#contract/gateway/reading.ts';

/** Each current and the power whose sign it takes. */
export const currentPowerPairs = [
  ['A', 'W'],
  ['L1_A', 'L1_W'],
  ['L2_A', 'L2_W'],
  ['L3_A', 'L3_W'],
  ['dc_A', 'dc_W'],
] as const;

/** Gives every current the sign of its power, in place: many devices report magnitudes, or the opposite sign. */
export function alignCurrents(values: Values): Values {
  for (const [current, power] of currentPowerPairs) {
    const A = values[current];
    const W = values[power];
    if (typeof A === 'number' && typeof W === 'number' && A * W < 0) values[current] = -A;
  }
  return values;
}
