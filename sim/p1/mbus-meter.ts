import * as dlms from './dlms.ts';
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

export const mbus = (meter: MeterValues): Buffer => mbusFrames(apdu(meter));

/** Austrian meters encrypt without authentication. */
export const mbusEncrypted = (meter: MeterValues, count: number): Buffer =>
  mbusFrames(dlms.encrypt(apdu(meter), 'SIM67500', count + 1, { key: dlms.simKey }));
