import { crc16 } from '../crc16.ts';
import {
  array,
  dateTime,
  i16,
  notification,
  obis,
  octets,
  octetText,
  scale,
  structure,
  u16,
  u32,
  visibleText,
} from './dlms.ts';
import type { MeterValues } from './meter-values.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const lengthAndTime = (at: number): Buffer => Buffer.concat([bytes('0c'), dateTime(at)]);
const octetTime = (at: number): Buffer => octets(dateTime(at));

/** Aidon: every value has its OBIS code, exponent and unit. */
export function aidon(meter: MeterValues): Buffer {
  const item = (code: string, value: Buffer, scaled: Buffer): Buffer => structure([obis(code), value, scaled]);
  const power = (code: string, W: number) => item(code, u32(W), scale(0, 'W'));
  const reactive = (code: string, VAr: number) => item(code, u32(VAr), scale(0, 'var'));
  return hdlcFrame(
    bytes('41088313'),
    notification(
      array([
        structure([obis('0-0:1.0.0'), octetTime(meter.at)]),
        power('1-0:1.7.0', meter.import_W),
        power('1-0:2.7.0', meter.export_W),
        reactive('1-0:3.7.0', 0),
        reactive('1-0:4.7.0', 132),
        ...meter.phases.map(({ A }, n) => item(`1-0:${31 + 20 * n}.7.0`, i16(A * 10), scale(-1, 'A'))),
        ...meter.phases.map(({ V }, n) => item(`1-0:${32 + 20 * n}.7.0`, u16(V * 10), scale(-1, 'V'))),
        ...meter.phases.flatMap(({ import_W, export_W }, n) => [
          power(`1-0:${21 + 20 * n}.7.0`, import_W),
          power(`1-0:${22 + 20 * n}.7.0`, export_W),
          reactive(`1-0:${23 + 20 * n}.7.0`, 0),
          reactive(`1-0:${24 + 20 * n}.7.0`, 44),
        ]),
        item('1-0:1.8.0', u32(meter.import_Wh), scale(0, 'Wh')),
        item('1-0:2.8.0', u32(meter.export_Wh), scale(0, 'Wh')),
        item('1-0:3.8.0', u32(285_958), scale(0, 'varh')),
        item('1-0:4.8.0', u32(11_836_809), scale(0, 'varh')),
      ]),
    ),
  );
}

/** Lists of Norwegian meters: the shortest has only the power, the longest also the counters. */
const isHourly = (count: number): boolean => count % 1800 === 0; // at one telegram every 2 s, and at the start
const isLong = (count: number): boolean => count % 5 === 0;

/** Kaifa: values without codes in a fixed order; mA and 0.1 V. */
export function kaifa(meter: MeterValues, count: number): Buffer {
  const instant = [
    octetText('KFM_001'),
    octetText('SIM0000000000001'),
    octetText('MA304H3E'),
    ...[meter.import_W, meter.export_W, 0, 64].map(u32),
    ...meter.phases.map(({ A }) => u32(A * 1000)),
    ...meter.phases.map(({ V }) => u32(V * 10)),
  ];
  const counters = [octetTime(meter.at), ...[meter.import_Wh, meter.export_Wh, 1000, 2000].map(u32)];
  const list = isHourly(count) ? [...instant, ...counters] : isLong(count) ? instant : [u32(meter.import_W)];
  return hdlcFrame(bytes('01020110'), notification(structure(list), octetTime(meter.at)));
}

/** Kamstrup: pairs of OBIS code and value; 0.01 A, 1 V, 10 Wh. Counters once an hour. */
export function kamstrup(meter: MeterValues, count: number): Buffer {
  const pair = (code: string, value: Buffer): Buffer[] => [obis(code), value];
  const perHour = 360;
  const list = [
    visibleText('Kamstrup_V0001'),
    ...pair('1-1:0.0.5', visibleText('SIM0000000000002')),
    ...pair('1-1:96.1.1', visibleText('6841138BNSIM101090')),
    ...pair('1-1:1.7.0', u32(meter.import_W)),
    ...pair('1-1:2.7.0', u32(meter.export_W)),
    ...pair('1-1:3.7.0', u32(0)),
    ...pair('1-1:4.7.0', u32(132)),
    ...meter.phases.flatMap(({ A }, n) => pair(`1-1:${31 + 20 * n}.7.0`, u32(A * 100))),
    ...meter.phases.flatMap(({ V }, n) => pair(`1-1:${32 + 20 * n}.7.0`, u16(V))),
    ...(count % perHour === 0
      ? [
          ...pair('0-1:1.0.0', octetTime(meter.at)),
          ...pair('1-1:1.8.0', u32(meter.import_Wh / 10)),
          ...pair('1-1:2.8.0', u32(meter.export_Wh / 10)),
          ...pair('1-1:3.8.0', u32(100)),
          ...pair('1-1:4.8.0', u32(200)),
        ]
      : []),
  ];
  return hdlcFrame(bytes('2b2113'), notification(structure(list), lengthAndTime(meter.at), 0));
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
