import type { NumberType, WordOrder } from '../map/point.ts';
import { rawReader, wordsOf } from '../map/words.ts';

export type Write = {
  address: number;
  type: NumberType;
  /** in units of the device */
  value: number;
  wordOrder: WordOrder;
  /** allowed difference when reading back, in units of the device */
  tolerance: number;
  /** sent in one request with the previous write, to the registers that follow */
  isJoined: boolean;
  /** a push-button register or heartbeat, which cannot be read back */
  isMomentary: boolean;
};

type WriteOptions = Partial<Omit<Write, 'address' | 'value'>>;

const plain = { type: 'u16', wordOrder: 'big', tolerance: 0, isJoined: false, isMomentary: false } as const;

export const set = (address: number, value: number, options: WriteOptions = {}): Write => ({
  address,
  value,
  ...plain,
  ...options,
});

/** Writes a power, which devices may round to 10 W. */
export const setPower = (address: number, W: number, options: WriteOptions & { countW?: number } = {}): Write => {
  const { countW = 1, ...rest } = options;
  const counts = W / countW;
  return set(address, rest.type === 'f32' ? counts : Math.round(counts), { tolerance: 10 / countW, ...rest });
};

const ranges: Partial<Record<NumberType, readonly [min: number, max: number]>> = {
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
};

/** Encodes the value; throws a RangeError if it does not fit, rather than writing another number. */
export function wordsFor({ address, type, value, wordOrder }: Write): number[] {
  const range = ranges[type];
  const isWritable = range ? Number.isInteger(value) && value >= range[0] && value <= range[1] : type === 'f32';
  if (!isWritable || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be written to register ${address} as ${type}.`);
  }
  const buffer = new DataView(new ArrayBuffer(4));
  if (type === 'f32') buffer.setFloat32(0, value);
  else buffer.setInt32(0, value);
  const [high, low] = [buffer.getUint16(0), buffer.getUint16(2)];
  if (wordsOf[type] === 1) return [low];
  return wordOrder === 'big' ? [high, low] : [low, high];
}

export type WriteRequest = { address: number; words: number[]; usesFunction16: boolean };

export function requestsOf(writes: readonly Write[]): WriteRequest[] {
  const requests: WriteRequest[] = [];
  for (const write of writes) {
    const words = wordsFor(write);
    const last = requests.at(-1);
    if (write.isJoined && last) last.words.push(...words);
    else requests.push({ address: write.address, words, usesFunction16: words.length > 1 });
  }
  return requests;
}

export function isWritten(write: Write, words: readonly number[]): boolean {
  if (wordsFor(write).every((word, index) => words[index] === word)) return true;
  const found = rawReader(write.type, write.wordOrder, [])(words, 0);
  return Math.abs(found - write.value) <= write.tolerance; // false for NaN
}

/** Returns the writes that can be read back after the sequence: the last one of each register. */
export function lastingWrites(writes: readonly Write[]): Write[] {
  const byAddress = new Map(writes.filter(({ isMomentary }) => !isMomentary).map((write) => [write.address, write]));
  return [...byAddress.values()].toSorted((one, other) => one.address - other.address);
}

type ReadBack = { address: number; count: number; writes: Write[] };

/** Groups adjacent registers to be read back in one request. */
export function readBacksOf(writes: readonly Write[]): ReadBack[] {
  const stretches: ReadBack[] = [];
  for (const write of lastingWrites(writes)) {
    const last = stretches.at(-1);
    const count = wordsOf[write.type];
    if (last && last.address + last.count === write.address) {
      last.count += count;
      last.writes.push(write);
    } else stretches.push({ address: write.address, count, writes: [write] });
  }
  return stretches;
}
