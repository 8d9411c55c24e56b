import { unreadable } from './frame.ts';
import type { Unit } from './obis.ts';

/** One value of an EN 13757-3 message. */
export type MbusRecord = {
  /** undefined if it is not a number, or of an unsupported type */
  value: number | undefined;
  exponent: number;
  unit: Unit | undefined;
  isInstantaneous: boolean;
  storage: number;
  tariff: number;
  /** sub-unit of the device */
  device: number;
  /** 1 to 3 if the meter reports it; 0 for all phases */
  phase: number | undefined;
};

const extended = 0x80;
const maxExtensions = 10;
const filler = 0x2f;
const manufacturerData = new Set([0x0f, 0x1f]);
const manufacturerVif = 0x7f;
const plainTextUnit = 0x7c;

// Sizes of the data fields 0 to F in bytes; D contains its length, 8 and F have no data.
const sizes = [0, 1, 2, 3, 4, 4, 6, 8, 0, 1, 2, 3, 4, undefined, 6, 0];

export function readRecords(bytes: Uint8Array): MbusRecord[] {
  const records: MbusRecord[] = [];
  let at = 0;

  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw unreadable('a record is truncated');
    return byte;
  };
  const extensions = (first: number): number[] => {
    const found: number[] = [];
    for (let byte = first; byte & extended; ) {
      if (found.length === maxExtensions) throw unreadable('a record has too many extensions');
      byte = next();
      found.push(byte);
    }
    return found;
  };

  while (at < bytes.length) {
    const dif = next();
    if (dif === filler) continue;
    if (manufacturerData.has(dif)) break;
    const difes = extensions(dif);
    const vif = next();
    if ((vif & ~extended) === plainTextUnit) {
      const length = next();
      at += length;
    }
    const vifes = extensions(vif);
    const size = sizes[dif & 0xf] ?? next();
    if (at + size > bytes.length) throw unreadable('a record is truncated');
    const value = numberOf(dif & 0xf, bytes.subarray(at, at + size));
    at += size;
    records.push({
      value,
      ...meaningOf(vif, vifes),
      isInstantaneous: (dif & 0x30) === 0,
      storage: difes.reduce((sum, dife, index) => sum + (dife & 0xf) * 2 ** (1 + 4 * index), (dif >> 6) & 1),
      tariff: difes.reduce((sum, dife, index) => sum + ((dife >> 4) & 3) * 4 ** index, 0),
      device: difes.reduce((sum, dife, index) => sum + ((dife >> 6) & 1) * 2 ** index, 0),
    });
  }
  return records;
}

/** Decodes signed integers, floats and BCD digits, low byte first. F in the highest BCD digit is a minus sign. */
function numberOf(field: number, bytes: Uint8Array): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (field === 7) return Number(buffer.readBigInt64LE());
  if (field === 5) return buffer.readFloatLE();
  if (field >= 1 && field <= 6) return buffer.readIntLE(0, bytes.length);
  if (field < 9 || field === 0xd || field > 0xe) return undefined;
  const digits = buffer.toReversed().reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
  const isNegative = digits.startsWith('f');
  const number = isNegative ? digits.slice(1) : digits;
  return /^\d+$/.test(number) ? Number(number) * (isNegative ? -1 : 1) : undefined;
}

type Meaning = Pick<MbusRecord, 'unit' | 'exponent' | 'phase'>;

function meaningOf(vif: number, vifes: readonly number[]): Meaning {
  const own = vif & ~extended;
  if (own === manufacturerVif) return { unit: undefined, exponent: 0, phase: undefined };
  if (vif === 0xfd) return { ...quantityOfFd((vifes[0] ?? 0) & ~extended), phase: phaseOf(vifes.slice(1)) };
  const phase = phaseOf(vifes);
  if (vif !== 0xfb && own <= 0x07) return { unit: 'Wh', exponent: own - 3, phase };
  if (vif !== 0xfb && own >= 0x28 && own <= 0x2f) return { unit: 'W', exponent: (own & 7) - 3, phase };
  return { unit: undefined, exponent: 0, phase };
}

function quantityOfFd(vife: number): Omit<Meaning, 'phase'> {
  if (vife >= 0x40 && vife <= 0x4f) return { unit: 'V', exponent: (vife & 0xf) - 9 };
  if (vife >= 0x50 && vife <= 0x5f) return { unit: 'A', exponent: (vife & 0xf) - 12 };
  return { unit: undefined, exponent: 0 };
}

/** Electricity meters append FF and a number to the unit: 0 for all phases, 1 to 3 for one phase. */
function phaseOf(vifes: readonly number[]): number | undefined {
  if (vifes.length === 0) return 0;
  const [marker, number = 0xff] = vifes;
  const phase = number & ~extended;
  return marker === 0xff && vifes.length === 2 && phase <= 3 ? phase : undefined;
}
