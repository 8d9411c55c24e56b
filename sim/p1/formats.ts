import { belgian, dsmr5, dsmr22, dsmr42, luxembourgish, swedish } from './ascii-meters.ts';
import * as dlms from './dlms.ts';
import { encrypt, luxembourgAuthentication, simKey } from './dlms.ts';
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

/** Austrian meters encrypt without authentication. */
const mbusEncrypted = (meter: MeterValues, count: number): Buffer =>
  mbusFrames(dlms.encrypt(apdu(meter), 'SIM67500', count + 1, { key: dlms.simKey }));

type Line = { baudRate: number; dataBits?: 7; parity?: 'even' };

export type P1Format = {
  title: string;
  /** Encodes the `count`th telegram. */
  write(meter: MeterValues, count: number): Buffer;
  paceMs: number;
  line: Line;
  /** decryption key for the gateway */
  key?: Buffer;
};

const fast: Line = { baudRate: 115_200 };

export const p1Formats = {
  dsmr22: {
    title: 'DSMR 2.2, Netherlands',
    write: dsmr22,
    paceMs: 10_000,
    line: { baudRate: 9600, dataBits: 7, parity: 'even' },
  },
  dsmr42: { title: 'DSMR 4.2, Netherlands', write: dsmr42, paceMs: 10_000, line: fast },
  dsmr5: { title: 'DSMR 5, Netherlands', write: dsmr5, paceMs: 1000, line: fast },
  be: { title: 'DSMR 5, Belgium', write: belgian, paceMs: 1000, line: fast },
  se: { title: 'P1, Sweden', write: swedish, paceMs: 10_000, line: fast },
  lu: { title: 'P1, Luxembourg', write: luxembourgish, paceMs: 10_000, line: fast },
  'lu-encrypted': {
    title: 'P1, Luxembourg, encrypted',
    write: (meter, count) =>
      encrypt(luxembourgish(meter), 'SIMLUX01', count + 1, { key: simKey, authentication: luxembourgAuthentication }),
    paceMs: 10_000,
    line: fast,
    key: simKey,
  },
  aidon: { title: 'HDLC, Aidon', write: aidon, paceMs: 10_000, line: { baudRate: 2400, parity: 'even' } },
  kaifa: { title: 'HDLC, Kaifa', write: kaifa, paceMs: 2000, line: { baudRate: 2400, parity: 'even' } },
  kamstrup: { title: 'HDLC, Kamstrup', write: kamstrup, paceMs: 10_000, line: { baudRate: 2400 } },
  mbus: { title: 'M-Bus', write: mbus, paceMs: 5000, line: { baudRate: 2400 } },
  'mbus-encrypted': {
    title: 'M-Bus, Austria, encrypted',
    write: mbusEncrypted,
    paceMs: 5000,
    line: { baudRate: 2400 },
    key: simKey,
  },
} satisfies Record<string, P1Format>;

export type P1FormatName = keyof typeof p1Formats;
export const p1FormatNames = Object.keys(p1Formats) as P1FormatName[];
export const p1Format = (name: P1FormatName): P1Format => p1Formats[name];
