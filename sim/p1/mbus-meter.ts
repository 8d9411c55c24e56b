import {
  dateTime,
  encrypt,
  notification,
  obis,
  octets,
  octetText,
  scale,
  simKey,
  structure,
  u16,
  u32,
} from './dlms.ts';
import type { MeterValues } from './meter-values.ts';

const maxPartSize = 245; // of an APDU; 250 with control, address, type and two access points

/** Encodes an APDU in wired M-Bus long frames, split if it is too long for one. */
export function mbusFrames(apdu: Buffer): Buffer {
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
  const time = dateTime(meter.at, { hasZone: true });
  const item = (code: string, value: Buffer, scaled: Buffer): Buffer[] => [obis(code), value, scaled];
  const body = structure([
    octets(time),
    ...item('1-0:1.8.0', u32(meter.import_Wh), scale(0, 'Wh')),
    ...item('1-0:2.8.0', u32(meter.export_Wh), scale(0, 'Wh')),
    ...item('1-0:1.7.0', u32(meter.import_W), scale(0, 'W')),
    ...item('1-0:2.7.0', u32(meter.export_W), scale(0, 'W')),
    ...meter.phases.flatMap(({ V }, n) => item(`1-0:${32 + 20 * n}.7.0`, u16(V * 10), scale(-1, 'V'))),
    ...meter.phases.flatMap(({ A }, n) => item(`1-0:${31 + 20 * n}.7.0`, u16(A * 100), scale(-2, 'A'))),
    ...item('1-0:13.7.0', u16(1000), scale(-3, 'none')), // power factor
    octetText('SIM200000009'),
  ]);
  return notification(body, Buffer.concat([Buffer.from([time.length]), time]), 0x8006870e);
}

export const mbus = (meter: MeterValues): Buffer => mbusFrames(apdu(meter));

/** Austrian meters encrypt without authentication. */
export const mbusEncrypted = (meter: MeterValues, count: number): Buffer =>
  mbusFrames(encrypt(apdu(meter), 'SIM67500', count + 1, { key: simKey }));
