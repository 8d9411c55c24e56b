import {
  array,
  asOctets,
  ciphered,
  clockBytes,
  codeBytes,
  enumeration,
  hdlc,
  i8,
  inBlocks,
  meterKey,
  notification,
  obis,
  octets,
  ownAuthenticationKey,
  pair,
  scale,
  segmented,
  structure,
  u16,
  u32,
  u64,
  withLlc,
} from './frames.ts';
import type { TestMeter } from './meter.ts';

// For tests: DLMS of Central European meters, in HDLC or without a frame.

const iskra = withLlc(
  notification(
    structure(
      structure(obis('0-0:96.1.0'), asOctets('84890001')),
      structure(obis('0-0:96.1.1'), asOctets('160001')),
      structure(obis('1-0:1.7.0'), u32(182), scale(0, 27)),
      structure(obis('1-0:2.7.0'), u32(0), scale(0, 27)),
      structure(obis('1-0:1.8.0'), u32(261_927), scale(0, 30)),
      structure(obis('1-0:2.8.0'), u32(63_832), scale(0, 30)),
      structure(obis('1-0:32.7.0'), u16(2364), scale(-1, 35)),
      structure(obis('1-0:52.7.0'), u16(2344), scale(-1, 35)),
      structure(obis('1-0:31.7.0'), u16(63), scale(-2, 33)),
      structure(obis('1-0:51.7.0'), u16(89), scale(-2, 33)),
      structure(obis('1-0:14.7.0'), u16(4997), scale(-2, 44)),
    ),
    [0x0c, 0x07, 0xe8, 3, 5, 2, 14, 30, 10, 0, 0xff, 0xc4, 0],
  ),
);

const landisGyr = notification(
  structure(
    octets(clockBytes),
    ...pair('1-0:1.8.0', u64(4_408_736)),
    ...pair('1-0:2.8.0', u32(12)),
    ...pair('1-0:1.7.0', u32(2893)),
    ...pair('1-0:2.7.0', u32(0)),
    ...pair('1-0:3.7.0', u32(1735)),
  ),
);
const landisGyrValues = { W: 2893, total_import_Wh: 4_408_736, total_export_Wh: 12 };

const meterTime = '2024-03-05T14:30:10';

const column = (code: string) => structure(u16(3), obis(code), i8(2), u16(0));
const czech = (code: string, value: readonly number[]) => [0x02, 0x02, 0x00, 0x03, ...codeBytes(code), 0x02, ...value];

export const centralMeters: TestMeter[] = [
  {
    name: 'Landis+Gyr E450 in blocks',
    format: 'hdlc',
    bytes: inBlocks(landisGyr, 40),
    device_id: '',
    meter_time: meterTime,
    meter: landisGyrValues,
  },
  {
    name: 'Landis+Gyr E450 in blocks, encrypted and authenticated',
    format: 'hdlc',
    bytes: inBlocks(ciphered(landisGyr, ownAuthenticationKey), 60),
    keys: { decryptionKey: meterKey, authenticationKey: ownAuthenticationKey },
    device_id: '4F484D6700010203',
    meter_time: meterTime,
    meter: landisGyrValues,
  },
  {
    name: 'Landis+Gyr E450 in blocks, encrypted, its authentication key unknown',
    format: 'hdlc',
    bytes: inBlocks(ciphered(landisGyr, ownAuthenticationKey), 60),
    keys: { decryptionKey: meterKey },
    isUnverified: true,
    device_id: '4F484D6700010203',
    meter_time: meterTime,
    meter: landisGyrValues,
  },
  {
    name: 'Landis+Gyr E450 with its columns first',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          structure(
            array(
              column('0-8:25.9.0'),
              column('1-0:21.7.0'),
              column('1-0:1.7.0'),
              column('1-0:2.7.0'),
              column('1-0:32.7.0'),
            ),
            u32(73),
            u32(187),
            u32(0),
            u16(238),
          ),
        ),
      ),
    ),
    device_id: '',
    meter: { W: 187, L1_W: 73, L1_V: 238 },
  },
  {
    name: 'Iskra in segments',
    format: 'hdlc',
    bytes: segmented(iskra, 90),
    device_id: '84890001',
    meter_time: '2024-03-05T14:30:10+01:00',
    meter: {
      W: 182,
      L1_V: 236.4,
      L2_V: 234.4,
      L1_A: 0.63,
      L2_A: 0.89,
      Hz: 49.97,
      total_import_Wh: 261_927,
      total_export_Wh: 63_832,
    },
  },
  {
    name: 'CZ without a frame',
    format: 'hdlc',
    isUnchecked: true,
    bytes: notification(
      structure(
        enumeration(1),
        array(
          czech('0-0:42.0.0', asOctets('EGD000022')),
          czech('1-0:1.7.0', u32(310)),
          czech('1-0:2.7.0', u32(10)),
          czech('1-0:1.8.0', u32(8_000_001)),
          czech('0-0:96.13.0', octets([])),
        ),
      ),
    ),
    device_id: 'EGD000022',
    meter: { W: 300, total_import_Wh: 8_000_001 },
  },
];
