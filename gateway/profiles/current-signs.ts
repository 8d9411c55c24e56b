import type { Values } from '#contract/gateway/reading.ts';

const pairs = [
  ['A', 'W'],
  ['L1_A', 'L1_W'],
  ['L2_A', 'L2_W'],
  ['L3_A', 'L3_W'],
  ['dc_A', 'dc_W'],
] as const;

/**
 * Gives every current the sign of the power beside it, in place. Many devices report magnitudes, and some sign currents
 * the other way round. A current without a power, or beside a power of zero, stays as the device reports it.
 */
export function alignCurrents(values: Values): Values {
  for (const [current, power] of pairs) {
    const A = values[current];
    const W = values[power];
    if (typeof A === 'number' && typeof W === 'number' && A * W < 0) values[current] = -A;
  }
  return values;
}
