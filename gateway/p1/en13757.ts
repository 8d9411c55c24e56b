import { begun, broken, type Candidate, type P1Frame, possible, unreadable } from './frame.ts';
import { createRegisterValues, meterValues, numberLine, registerOf, scaled, type Unit } from './obis.ts';

/** One value of an EN 13757-3 message. */
type MbusRecord = {
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

function readRecords(bytes: Uint8Array): MbusRecord[] {
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

export const mbusStart = 0x68;

const stop = 0x16;
// Control fields of messages with data: replies (08 and its flags) and pushes (53, 73).
const controls = new Set([0x08, 0x18, 0x28, 0x38, 0x53, 0x73]);

export type MbusFrame = { controlInformation: number; data: Uint8Array };

/** Matches 68 L L 68 C A CI data checksum 16; the checksum is the sum from C to the end of the data. */
export function matchMbus(bytes: Uint8Array, at: number, end: number): Candidate<MbusFrame> {
  if (at + 5 > end) return at + 4 > end || bytes[at + 3] === mbusStart ? possible : undefined;
  const [, length = 0, repeated, start, control = 0, , controlInformation = 0] = bytes.subarray(at, end);
  if (start !== mbusStart || !controls.has(control)) return undefined;
  if (length !== repeated) return broken(5, 'the two lengths differ');
  if (length < 3) return undefined;

  const whole = length + 6;
  if (at + whole > end) return begun;
  if (bytes[at + whole - 1] !== stop) return broken(whole, 'the length is wrong');
  const sum = bytes.subarray(at + 4, at + 4 + length).reduce((added, byte) => added + byte, 0);
  if ((sum & 0xff) !== bytes[at + whole - 2]) return broken(whole, 'the checksum is wrong');
  return {
    state: 'whole',
    length: whole,
    controlInformation,
    data: bytes.subarray(at + 7, at + whole - 2),
  };
}

export const variableData = 0x72;

const headerSize = 12;
const electricity = 0x02;

// By phase; 0 is the total. Power is signed, so its code is that of the net power.
const codes: Partial<Record<Unit, readonly (string | undefined)[]>> = {
  W: ['16.7.0', '36.7.0', '56.7.0', '76.7.0'],
  V: [undefined, '32.7.0', '52.7.0', '72.7.0'],
  A: [undefined, '31.7.0', '51.7.0', '71.7.0'],
};

/** Reads id (4), manufacturer (2), version, medium, access number, status, signature (2), records. */
export function readVariableData(data: Uint8Array): P1Frame {
  if (data.length < headerSize) throw unreadable('the header is truncated');
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  if (view.getUint8(11) & 0x1f) throw unreadable('encrypted with an unsupported M-Bus mode');
  const records = readRecords(data.subarray(headerSize));
  const readings = createRegisterValues();
  const obis: string[] = [];
  if (data[7] === electricity) {
    for (const [code, record] of unambiguous(records)) {
      const register = registerOf(code);
      const reading = scaled(record.value ?? Number.NaN, record.exponent);
      if (!register || reading === undefined) continue;
      readings[register.slot] = reading;
      obis.push(numberLine(`1-0:${code}`, reading, record.unit, record.exponent));
    }
  }
  return { format: 'mbus', device_id: deviceId(view), obis, meter: meterValues(readings) };
}

/** Selects the unambiguous records: current values of the meter itself, one per code. */
function unambiguous(records: readonly MbusRecord[]): [string, MbusRecord][] {
  const found = new Map<string, MbusRecord | undefined>();
  for (const record of withPhases(records.filter(isCurrent))) {
    const code = codeFor(record);
    if (code) found.set(code, found.has(code) ? undefined : record);
  }
  return [...found].filter((pair): pair is [string, MbusRecord] => pair[1] !== undefined);
}

/** Numbers the phases for meters that list them in order, before line-to-line values, the neutral or the total. */
function withPhases(records: readonly MbusRecord[]): MbusRecord[] {
  const listed = Map.groupBy(records.filter(isListed), ({ unit }) => unit);
  return records.map((record) => {
    const list = listed.get(record.unit);
    const index = list?.indexOf(record) ?? -1;
    if (!list || index < 0) return record;
    return { ...record, phase: phaseInList(list, index) };
  });
}

const isCurrent = ({ value, isInstantaneous, storage, device }: MbusRecord): boolean =>
  value !== undefined && isInstantaneous && storage === 0 && device === 0;

const isListed = ({ unit, tariff, phase }: MbusRecord): boolean =>
  (unit === 'V' || unit === 'A' || unit === 'W') && tariff === 0 && phase === 0;

function phaseInList(list: readonly MbusRecord[], index: number): number | undefined {
  const isPower = list[0]?.unit === 'W';
  if (list.length === 1) return isPower ? 0 : 1;
  if (list.length === 2) return isPower ? 0 : undefined; // ambiguous; two totals are dropped
  if (!isPower || list.length === 3) return index < 3 ? index + 1 : undefined;
  if (list.length > 4) return undefined;
  return isTotalFirst(list) ? index : (index + 1) % 4;
}

/** Returns whether the first of four powers is the total, which is usually the last. */
function isTotalFirst(list: readonly MbusRecord[]): boolean {
  const powers = list.map(({ value = 0, exponent }) => value * 10 ** exponent);
  const [first = 0, second = 0, third = 0, last = 0] = powers;
  const distance = (total: number, others: number): number => Math.abs(total - others);
  return distance(first, second + third + last) < distance(last, first + second + third);
}

function codeFor({ unit, tariff, phase }: MbusRecord): string | undefined {
  if (!unit || phase === undefined) return undefined;
  if (unit === 'Wh') return phase === 0 && tariff <= 4 ? `1.8.${tariff}` : undefined;
  return tariff === 0 ? codes[unit]?.[phase] : undefined;
}

/** Formats the id: three letters of five bits each, and eight digits. */
function deviceId(header: DataView): string {
  const manufacturer = header.getUint16(4, true);
  const letters = [manufacturer >> 10, manufacturer >> 5, manufacturer].map((bits) => (bits & 0x1f) + 64);
  const id = header.getUint32(0, true).toString(16).padStart(8, '0').toUpperCase();
  return String.fromCharCode(...letters) + id;
}
