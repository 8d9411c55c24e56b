import { unreadable } from './candidate.ts';
import { scaled } from './decimal.ts';
import { type MbusRecord, readRecords } from './en13757-records.ts';
import type { P1Frame } from './frame.ts';
import { meterValues, noReadings, parseCode, registerOf } from './obis.ts';
import { numberLine } from './obis-line.ts';

export const variableData = 0x72;

const headerSize = 12;
const electricity = 0x02;

// By phase, 0 for the whole. Power has a sign, so it is the net one.
const powerCodes = ['16.7.0', '36.7.0', '56.7.0', '76.7.0'];
const voltageCodes = [undefined, '32.7.0', '52.7.0', '72.7.0'];
const currentCodes = [undefined, '31.7.0', '51.7.0', '71.7.0'];

/** Id (4), manufacturer (2), version, medium, access number, status, signature (2), records. */
export function readVariableData(data: Uint8Array): P1Frame {
  if (data.length < headerSize) throw unreadable('the header is cut off');
  if (data[11]! & 0x1f) throw unreadable('encrypted in a way of M-Bus that is not known here');
  const records = readRecords(data.subarray(headerSize));
  const readings = noReadings();
  const obis: string[] = [];
  if (data[7] === electricity) {
    for (const [code, record] of meant(records)) {
      const reading = scaled(record.value!, record.exponent);
      if (reading === undefined) continue;
      readings[registerOf(parseCode(code))!.slot] = reading;
      obis.push(numberLine(`1-0:${code}`, reading, record.unit, record.exponent));
    }
  }
  return { format: 'mbus', device_id: deviceId(data), obis, meter: meterValues(readings) };
}

/** The records whose meaning is certain: of now, of the device itself, and one of its kind. */
function meant(records: readonly MbusRecord[]): [string, MbusRecord][] {
  const found = new Map<string, MbusRecord | undefined>();
  for (const record of withPhases(records)) {
    const code = codeFor(record);
    if (code) found.set(code, found.has(code) ? undefined : record);
  }
  return [...found].filter((pair): pair is [string, MbusRecord] => pair[1] !== undefined);
}

/**
 * Numbers the phases of meters that do not: they list the voltages, currents and powers of the three phases in their order,
 * then those between the phases, of the neutral conductor, or the total. A single one is that of the only phase.
 */
function withPhases(records: readonly MbusRecord[]): MbusRecord[] {
  const listed = Map.groupBy(records.filter(isListed), ({ unit }) => unit);
  return records.map((record) => {
    const list = listed.get(record.unit);
    const index = list?.indexOf(record) ?? -1;
    if (!list || index < 0) return record;
    return { ...record, phase: phaseInList(list, index) };
  });
}

const isListed = ({ unit, value, isInstantaneous, storage, tariff, device, phase }: MbusRecord): boolean =>
  (unit === 'V' || unit === 'A' || unit === 'W') &&
  value !== undefined &&
  isInstantaneous &&
  storage === 0 &&
  tariff === 0 &&
  device === 0 &&
  phase === 0;

function phaseInList(list: readonly MbusRecord[], index: number): number | undefined {
  const isPower = list[0]!.unit === 'W';
  if (list.length === 1) return isPower ? 0 : 1;
  if (list.length === 2) return isPower ? 0 : undefined; // ambiguous; two totals are dropped
  if (!isPower || list.length === 3) return index < 3 ? index + 1 : undefined;
  if (list.length > 4) return undefined;
  const phase = isTotalFirst(list) ? index : (index + 1) % 4;
  return phase;
}

/** Of four powers one is the total, usually the last. */
function isTotalFirst(list: readonly MbusRecord[]): boolean {
  const [first, second, third, last] = list.map(({ value, exponent }) => value! * 10 ** exponent) as [
    number,
    number,
    number,
    number,
  ];
  const distance = (total: number, others: number): number => Math.abs(total - others);
  return distance(first, second + third + last) < distance(last, first + second + third);
}

function codeFor({ value, unit, isInstantaneous, storage, tariff, device, phase }: MbusRecord): string | undefined {
  if (value === undefined || !isInstantaneous || storage !== 0 || device !== 0 || phase === undefined) return undefined;
  if (unit === 'Wh') return phase === 0 && tariff <= 4 ? `1.8.${tariff}` : undefined;
  if (tariff !== 0) return undefined;
  if (unit === 'W') return powerCodes[phase];
  if (unit === 'V') return voltageCodes[phase];
  return unit === 'A' ? currentCodes[phase] : undefined;
}

/** Three letters of five bits each, and eight digits. */
function deviceId(data: Uint8Array): string {
  const manufacturer = data[4]! | (data[5]! << 8);
  const letters = [manufacturer >> 10, manufacturer >> 5, manufacturer].map((bits) => (bits & 0x1f) + 64);
  const id = Buffer.from(data.subarray(0, 4)).reverse().toString('hex').toUpperCase();
  return String.fromCharCode(...letters) + id;
}
