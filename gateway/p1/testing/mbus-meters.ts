import {
  asOctets,
  ciphered,
  clockBytes,
  hex,
  mbus,
  mbusParts,
  meterKey,
  notification,
  octets,
  pair,
  scale,
  structure,
  u16,
  u32,
} from './frames.ts';
import type { TestMeter } from './meter.ts';

// For tests: messages in M-Bus frames.

const austrian = notification(
  structure(
    octets(clockBytes),
    ...pair('1-0:1.8.0', u32(12_937), scale(0, 30)),
    ...pair('1-0:2.8.0', u32(3), scale(3, 30)),
    ...pair('1-0:1.7.0', u32(0), scale(0, 27)),
    ...pair('1-0:2.7.0', u32(415), scale(0, 27)),
    ...pair('1-0:32.7.0', u16(2337), scale(-1, 35)),
    ...pair('1-0:31.7.0', u16(178), scale(-2, 33)),
    ...pair('1-0:13.7.0', u16(1000), scale(-3, 255)),
    asOctets('181220000042'),
  ),
  [0x0c, ...clockBytes],
);
const austrianValues = { W: -415, L1_V: 233.7, L1_A: -1.78, total_import_Wh: 12_937, total_export_Wh: 3000 };
const meterTime = '2024-03-05T14:30:10';

export const mbusMeters: TestMeter[] = [
  {
    name: 'AT plain',
    format: 'mbus',
    bytes: mbusParts(austrian, 245),
    device_id: '181220000042',
    meter_time: meterTime,
    meter: austrianValues,
  },
  {
    name: 'AT plain in two parts',
    format: 'mbus',
    bytes: mbusParts(austrian, 100),
    device_id: '181220000042',
    meter_time: meterTime,
    meter: austrianValues,
  },
  {
    name: 'AT encrypted in two parts',
    format: 'mbus',
    bytes: mbusParts(ciphered(austrian), 120),
    keys: { decryptionKey: meterKey },
    isUnverified: true,
    device_id: '181220000042',
    meter_time: meterTime,
    meter: austrianValues,
  },
  {
    name: 'EN 13757',
    format: 'mbus',
    bytes: mbus(
      0x72,
      hex(`78563412 2d2c 01 02 04 00 0000
        0e04 563412000000 8c10 04 40302010 02fdc9ff01 e700 02fddbff01 2000 02acff01 f4ff
        02acff00 f4ff 142b 10270000 844001 ffffff00 2f 0f 010203`),
      { control: 0x08, address: 0x01 },
    ),
    device_id: 'KAM12345678',
    meter: { W: -120, L1_W: -120, L1_V: 231, L1_A: -3.2, total_import_Wh: 1_234_560 },
  },
];
