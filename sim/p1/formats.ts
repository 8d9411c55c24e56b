import { keysOf } from '#contract/schema.ts';
import { belgian, dsmr5, dsmr22, dsmr42, luxembourgish, swedish } from './ascii-meters.ts';
import * as dlms from './dlms.ts';
import { aidon, kaifa, kamstrup } from './hdlc-meters.ts';
import type { MeterValues } from './meter-values.ts';

const maxPartSize = 245; // of an APDU; 250 with control, address, type and two access points

/** Encodes an APDU in wired M-Bus long frames, split if it is too long for one. */
function mbusFrames(apdu: Buffer): Buffer {
  const count = Math.ceil(apdu.length / maxPartSize);
  const frames = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    const part = apdu.subarray(index * maxPartSize, (index + 1) * maxPartSize);
    const body = Buffer.concat([Buffer.from([0x53, 0xff, (isLast ? 0x10 : 0) | index, 0x01, 0x67]), part]);
    const sum = body.reduce((total, byte) => (total + byte) & 0xff, 0);
    return Buffer.concat([Buffer.from([0x68, body.length, body.length, 0x68]), body, Buffer.from([sum, 0x16])]);
  });
  return Buffer.concat(frames);
}

function apdu(meter: MeterValues): Buffer {
  const time = dlms.dateTime(meter.at, { hasZone: true });
  const body = dlms.structure([
    dlms.octets(time),
    ...dlms.measured('1-0:1.8.0', dlms.u32(meter.import_Wh), 0, 'Wh'),
    ...dlms.measured('1-0:2.8.0', dlms.u32(meter.export_Wh), 0, 'Wh'),
    ...dlms.measured('1-0:1.7.0', dlms.u32(meter.import_W), 0, 'W'),
    ...dlms.measured('1-0:2.7.0', dlms.u32(meter.export_W), 0, 'W'),
    ...meter.phases.flatMap(({ V }, n) => dlms.measured(`1-0:${32 + 20 * n}.7.0`, dlms.u16(V * 10), -1, 'V')),
    ...meter.phases.flatMap(({ A }, n) => dlms.measured(`1-0:${31 + 20 * n}.7.0`, dlms.u16(A * 100), -2, 'A')),
    ...dlms.measured('1-0:13.7.0', dlms.u16(1000), -3, 'none'), // power factor
    dlms.octetText('SIM200000009'),
  ]);
  return dlms.notification(body, Buffer.concat([Buffer.from([time.length]), time]), 0x8006870e);
}

const mbus = (meter: MeterValues): Buffer => mbusFrames(apdu(meter));

const luxembourgishEncrypted = (meter: MeterValues, count: number): Buffer =>
  dlms.encrypt(luxembourgish(meter), 'SIMLUX01', count + 1, {
    key: dlms.simKey,
    authentication: dlms.luxembourgAuthentication,
  });

/** Austrian meters encrypt without authentication. */
const mbusEncrypted = (meter: MeterValues, count: number): Buffer =>
  mbusFrames(dlms.encrypt(apdu(meter), 'SIM67500', count + 1, { key: dlms.simKey }));

type Line = { baudRate: number; dataBits?: 7; parity?: 'even' };

/** Describes a format. `write` encodes the `count`th telegram; `key` is the decryption key for the gateway. */
const format = (
  title: string,
  write: (meter: MeterValues, count: number) => Buffer,
  paceMs: number,
  line: Line,
  key?: Buffer,
) => ({ title, write, paceMs, line, key });

const fast: Line = { baudRate: 115_200 };
const slow: Line = { baudRate: 2400 };
const slowEven: Line = { ...slow, parity: 'even' };

export const p1Formats = {
  dsmr22: format('DSMR 2.2, Netherlands', dsmr22, 10_000, { baudRate: 9600, dataBits: 7, parity: 'even' }),
  dsmr42: format('DSMR 4.2, Netherlands', dsmr42, 10_000, fast),
  dsmr5: format('DSMR 5, Netherlands', dsmr5, 1000, fast),
  be: format('DSMR 5, Belgium', belgian, 1000, fast),
  se: format('P1, Sweden', swedish, 10_000, fast),
  lu: format('P1, Luxembourg', luxembourgish, 10_000, fast),
  'lu-encrypted': format('P1, Luxembourg, encrypted', luxembourgishEncrypted, 10_000, fast, dlms.simKey),
  aidon: format('HDLC, Aidon', aidon, 10_000, slowEven),
  kaifa: format('HDLC, Kaifa', kaifa, 2000, slowEven),
  kamstrup: format('HDLC, Kamstrup', kamstrup, 10_000, slow),
  mbus: format('M-Bus', mbus, 5000, slow),
  'mbus-encrypted': format('M-Bus, Austria, encrypted', mbusEncrypted, 5000, slow, dlms.simKey),
};

export type P1FormatName = keyof typeof p1Formats;
export const p1FormatNames = keysOf(p1Formats);
