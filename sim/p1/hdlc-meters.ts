import { crc16 } from '../crc16.ts';
import * as dlms from './dlms.ts';
import type { MeterValues } from './meter-values.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const lengthAndTime = (at: number): Buffer => Buffer.concat([bytes('0c'), dlms.dateTime(at)]);
const octetTime = (at: number): Buffer => dlms.octets(dlms.dateTime(at));

/** Aidon: every value has its OBIS code, exponent and unit. */
export function aidon(meter: MeterValues): Buffer {
  const item = (...measured: Parameters<typeof dlms.measured>): Buffer => dlms.structure(dlms.measured(...measured));
  /** Import, export and reactive powers; `quantity` is the C part of the first. */
  const powers = (quantity: number, values: readonly number[]): Buffer[] =>
    values.map((value, n) => item(`1-0:${quantity + n}.7.0`, dlms.u32(value), 0, n < 2 ? 'W' : 'var'));
  const list = [
    dlms.structure([dlms.obis('0-0:1.0.0'), octetTime(meter.at)]),
    ...powers(1, [meter.import_W, meter.export_W, 0, 132]),
    ...meter.phases.map(({ A }, n) => item(`1-0:${31 + 20 * n}.7.0`, dlms.i16(A * 10), -1, 'A')),
    ...meter.phases.map(({ V }, n) => item(`1-0:${32 + 20 * n}.7.0`, dlms.u16(V * 10), -1, 'V')),
    ...meter.phases.flatMap(({ import_W, export_W }, n) => powers(21 + 20 * n, [import_W, export_W, 0, 44])),
    item('1-0:1.8.0', dlms.u32(meter.import_Wh), 0, 'Wh'),
    item('1-0:2.8.0', dlms.u32(meter.export_Wh), 0, 'Wh'),
    item('1-0:3.8.0', dlms.u32(285_958), 0, 'varh'),
    item('1-0:4.8.0', dlms.u32(11_836_809), 0, 'varh'),
  ];
  return hdlcFrame(bytes('41088313'), dlms.notification(dlms.array(list)));
}

/** Lists of Norwegian meters: the shortest has only the power, the longest also the counters. */
const isHourly = (count: number): boolean => count % 1800 === 0; // at one telegram every 2 s, and at the start
const isLong = (count: number): boolean => count % 5 === 0;

/** Kaifa: values without codes in a fixed order; mA and 0.1 V. */
export function kaifa(meter: MeterValues, count: number): Buffer {
  const instant = [
    dlms.octetText('KFM_001'),
    dlms.octetText('SIM0000000000001'),
    dlms.octetText('MA304H3E'),
    ...[meter.import_W, meter.export_W, 0, 64].map(dlms.u32),
    ...meter.phases.map(({ A }) => dlms.u32(A * 1000)),
    ...meter.phases.map(({ V }) => dlms.u32(V * 10)),
  ];
  const counters = [octetTime(meter.at), ...[meter.import_Wh, meter.export_Wh, 1000, 2000].map(dlms.u32)];
  const list = isHourly(count) ? [...instant, ...counters] : isLong(count) ? instant : [dlms.u32(meter.import_W)];
  return hdlcFrame(bytes('01020110'), dlms.notification(dlms.structure(list), octetTime(meter.at)));
}

/** Kamstrup: pairs of OBIS code and value; 0.01 A, 1 V, 10 Wh. Counters once an hour. */
export function kamstrup(meter: MeterValues, count: number): Buffer {
  const pair = (code: string, value: Buffer): Buffer[] => [dlms.obis(code), value];
  const four = (part: string, values: readonly number[]): Buffer[] =>
    values.flatMap((value, n) => pair(`1-1:${n + 1}.${part}`, dlms.u32(value)));
  const counters = [meter.import_Wh / 10, meter.export_Wh / 10, 100, 200];
  const perHour = 360;
  const list = [
    dlms.visibleText('Kamstrup_V0001'),
    ...pair('1-1:0.0.5', dlms.visibleText('SIM0000000000002')),
    ...pair('1-1:96.1.1', dlms.visibleText('6841138BNSIM101090')),
    ...four('7.0', [meter.import_W, meter.export_W, 0, 132]),
    ...meter.phases.flatMap(({ A }, n) => pair(`1-1:${31 + 20 * n}.7.0`, dlms.u32(A * 100))),
    ...meter.phases.flatMap(({ V }, n) => pair(`1-1:${32 + 20 * n}.7.0`, dlms.u16(V))),
    ...(count % perHour === 0 ? [...pair('0-1:1.0.0', octetTime(meter.at)), ...four('8.0', counters)] : []),
  ];
  return hdlcFrame(bytes('2b2113'), dlms.notification(dlms.structure(list), lengthAndTime(meter.at), 0));
}

const flag = Buffer.from([0x7e]);
const llc = Buffer.from([0xe6, 0xe7, 0x00]);

/** CRC-16/X.25, low byte first. */
function check(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(2);
  sum.writeUInt16LE(crc16(bytes, 0x8408, 0xffff) ^ 0xffff);
  return sum;
}

/** Encodes a frame without byte stuffing; `address` is destination, source and control. */
function hdlcFrame(address: Buffer, apdu: Buffer): Buffer {
  const information = Buffer.concat([llc, apdu]);
  const length = 2 + address.length + 2 + information.length + 2;
  const format = Buffer.alloc(2);
  format.writeUInt16BE(0xa000 | length);
  const header = Buffer.concat([format, address]);
  const content = Buffer.concat([header, check(header), information]);
  return Buffer.concat([flag, content, check(content), flag]);
}
