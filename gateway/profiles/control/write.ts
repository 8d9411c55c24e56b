import type { NumberType, WordOrder } from '../map/point.ts';
import { rawReader, wordsOf } from '../map/words.ts';

/** One write of a sequence, and what its registers hold afterwards. */
export type Write = {
  address: number;
  type: NumberType;
  /** in the counts of the device */
  value: number;
  wordOrder: WordOrder;
  /** how far off a device may keep it, in its counts */
  tolerance: number;
  /** function code 16 also for a single register */
  isMany: boolean;
  /** goes out in one request with the write before it, whose next registers these are */
  isJoined: boolean;
  /** a switch that springs back or a heartbeat: nothing to read back */
  isMomentary: boolean;
};

export type WriteOptions = {
  type?: NumberType;
  wordOrder?: WordOrder;
  tolerance?: number;
  isMany?: true;
  isJoined?: true;
  isMomentary?: true;
};

export const set = (address: number, value: number, options: WriteOptions = {}): Write => ({
  address,
  value,
  type: options.type ?? 'u16',
  wordOrder: options.wordOrder ?? 'big',
  tolerance: options.tolerance ?? 0,
  isMany: options.isMany ?? false,
  isJoined: options.isJoined ?? false,
  isMomentary: options.isMomentary ?? false,
});

/** A power: devices keep it to the next 10 W. */
export const setPower = (address: number, W: number, options: WriteOptions & { countW?: number } = {}): Write => {
  const { countW = 1, ...rest } = options;
  const counts = W / countW;
  return set(address, rest.type === 'f32' ? counts : Math.round(counts), { tolerance: 10 / countW, ...rest });
};

const ranges: Partial<Record<NumberType, readonly [least: number, most: number]>> = {
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
};

/** The value as registers; throws a RangeError rather than write another number than was meant. */
export function wordsFor({ address, type, value, wordOrder }: Write): number[] {
  const range = ranges[type];
  const isWritable = range ? Number.isInteger(value) && value >= range[0] && value <= range[1] : type === 'f32';
  if (!isWritable || !Number.isFinite(value)) {
    throw new RangeError(`${value} cannot be written to register ${address} as ${type}.`);
  }
  const scratch = new DataView(new ArrayBuffer(4));
  if (type === 'f32') scratch.setFloat32(0, value);
  else scratch.setInt32(0, value);
  const [high, low] = [scratch.getUint16(0), scratch.getUint16(2)];
  if (wordsOf[type] === 1) return [low];
  return wordOrder === 'big' ? [high, low] : [low, high];
}

export type Request = { address: number; words: number[]; isMany: boolean };

/** The requests of a sequence, in its order. */
export function requestsOf(writes: readonly Write[]): Request[] {
  const requests: Request[] = [];
  for (const write of writes) {
    const words = wordsFor(write);
    const last = requests.at(-1);
    if (write.isJoined && last) last.words.push(...words);
    else requests.push({ address: write.address, words, isMany: write.isMany || words.length > 1 });
  }
  return requests;
}

/** Whether registers hold what was written. */
export function isHeld(write: Write, words: readonly number[]): boolean {
  if (wordsFor(write).every((word, index) => words[index] === word)) return true;
  const found = rawReader(write.type, write.wordOrder, [])(words, 0);
  return Math.abs(found - write.value) <= write.tolerance; // never so for NaN
}

/** What a sequence leaves behind: the last write of each register that keeps what it is given. */
export function lasting(writes: readonly Write[]): Write[] {
  const byAddress = new Map(writes.filter(({ isMomentary }) => !isMomentary).map((write) => [write.address, write]));
  return [...byAddress.values()].toSorted((one, other) => one.address - other.address);
}

export type Stretch = { address: number; count: number; writes: Write[] };

/** Neighbouring registers are read back in one request. */
export function stretchesOf(writes: readonly Write[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const write of lasting(writes)) {
    const last = stretches.at(-1);
    const count = wordsOf[write.type];
    if (last && last.address + last.count === write.address) {
      last.count += count;
      last.writes.push(write);
    } else stretches.push({ address: write.address, count, writes: [write] });
  }
  return stretches;
}
