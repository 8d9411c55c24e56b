// For tests: damages bytes the way a serial line can.

export type Random = {
  /** Returns an integer from 0 to below `limit`. */
  below(limit: number): number;
};

/** Mulberry32: the same seed gives the same cases. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}

const longestRange = 64;

type Damage = (bytes: Buffer, random: Random) => Buffer;

const range = (bytes: Buffer, random: Random): [from: number, to: number] => {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + random.below(longestRange))];
};
const join = (...parts: Uint8Array[]): Buffer => Buffer.concat(parts);
const randomBytes = (count: number, random: Random): Buffer =>
  Buffer.from(Array.from({ length: count }, () => random.below(256)));

const damages: Damage[] = [
  function flip(bytes, random) {
    const copy = Buffer.from(bytes);
    for (let left = 1 + random.below(4); left > 0 && copy.length > 0; left--) {
      copy[random.below(copy.length)]! ^= 1 << random.below(8);
    }
    return copy;
  },
  function remove(bytes, random) {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, from), bytes.subarray(to));
  },
  function insert(bytes, random) {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, from), randomBytes(to - from, random), bytes.subarray(from));
  },
  function overwrite(bytes, random) {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, from), randomBytes(to - from, random), bytes.subarray(to));
  },
  function repeat(bytes, random) {
    const [from, to] = range(bytes, random);
    return join(bytes.subarray(0, to), bytes.subarray(from));
  },
  function splice(bytes, random) {
    const at = random.below(bytes.length + 1);
    const other = random.below(bytes.length + 1);
    return join(bytes.subarray(0, at), bytes.subarray(other));
  },
  function truncate(bytes, random) {
    const [from] = range(bytes, random);
    return random.below(2) ? bytes.subarray(from) : bytes.subarray(0, from);
  },
  function digit(bytes, random) {
    const copy = Buffer.from(bytes);
    const at = copy.indexOf(0x30 + random.below(10), random.below(copy.length + 1)); // replaces a byte that looks like a digit
    if (at >= 0) copy[at] = 0x30 + random.below(10);
    return copy;
  },
];

/** Damages the bytes one to three times; sometimes none remain. */
export function damage(bytes: Buffer, random: Random): Buffer {
  if (random.below(50) === 0) return randomBytes(random.below(9000), random);
  let damaged = bytes;
  for (let left = 1 + random.below(3); left > 0; left--)
    damaged = damages[random.below(damages.length)]!(damaged, random);
  return damaged;
}
