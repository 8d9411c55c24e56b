/** Returns a pseudo-random number in [0, 1) for a seed and index. */
function hash(seed: number, index: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns smooth noise in [0, 1) that changes within about `periodMs`. */
export function noise(seed: number, at: number, periodMs: number): number {
  const cell = Math.floor(at / periodMs);
  const part = at / periodMs - cell;
  const eased = part * part * (3 - 2 * part);
  return hash(seed, cell) * (1 - eased) + hash(seed, cell + 1) * eased;
}
