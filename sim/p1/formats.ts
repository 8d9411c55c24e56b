import { belgian, dsmr5, dsmr22, dsmr42, luxembourgish, swedish } from './ascii-meters.ts';
import { encrypt, luxembourgAuthentication, simKey } from './dlms.ts';
import { aidon, kaifa, kamstrup } from './hdlc-meters.ts';
import { mbus, mbusEncrypted } from './mbus-meter.ts';
import type { MeterValues } from './meter-values.ts';

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
