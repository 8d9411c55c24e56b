import {
  array,
  asOctets,
  clockBytes,
  codeBytes,
  hdlc,
  i16,
  nothing,
  notification,
  obis,
  octets,
  pair,
  scale,
  structure,
  u16,
  u32,
  visible,
  withLlc,
} from './frames.ts';
import type { TestMeter } from './meter.ts';

// For tests: DLMS of Nordic meters.

const aidonNamed = [
  structure(obis('1-1:0.2.129'), visible('AIDON_V0001')),
  structure(obis('0-0:96.1.0'), visible('7359990000000017')),
  structure(obis('0-0:96.1.7'), visible('6534')),
];
const aidonPower = (watts: number) => structure(obis('1-0:1.7.0'), u32(watts), scale(0, 27));

const kaifaNamed = [asOctets('KFM_001'), asOctets('6970630000000018'), asOctets('MA304H3E')];
const kaifaTime = octets(clockBytes);
const kaifaPowers = [u32(0), u32(2750), u32(0), u32(140)];
const kaifaPhases = [u32(4120), u32(0), u32(12_003), u32(2311), u32(0), u32(2298)];
const kaifaPhaseValues = { L1_A: 4.12, L2_A: 0, L3_A: 12.003, L1_V: 231.1, L2_V: 0, L3_V: 229.8 };

const meterTime = '2024-03-05T14:30:10';

export const nordicMeters: TestMeter[] = [
  {
    name: 'Aidon list 1',
    format: 'hdlc',
    bytes: hdlc(withLlc(notification(array(aidonPower(0x7e7e))))),
    device_id: '',
    meter: { W: 32_382 },
  },
  {
    name: 'Aidon list 3',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          array(
            ...aidonNamed,
            aidonPower(280),
            structure(obis('1-0:2.7.0'), u32(0), scale(0, 27)),
            structure(obis('1-0:4.7.0'), u32(128), scale(0, 29)),
            structure(obis('1-0:31.7.0'), i16(13), scale(-1, 33)),
            structure(obis('1-0:71.7.0'), i16(9), scale(-1, 33)),
            structure(obis('1-0:32.7.0'), u16(2274), scale(-1, 35)),
            structure(obis('1-0:52.7.0'), u16(2301), scale(-1, 35)),
            structure(obis('1-0:72.7.0'), u16(2308), scale(-1, 35)),
            structure(obis('0-0:1.0.0'), octets(clockBytes)),
            structure(obis('1-0:1.8.0'), u32(1_234_567), scale(1, 30)),
            structure(obis('1-0:2.8.0'), u32(89), scale(1, 30)),
          ),
        ),
      ),
    ),
    device_id: '7359990000000017',
    meter_time: meterTime,
    meter: {
      W: 280,
      L1_A: 1.3,
      L3_A: 0.9,
      L1_V: 227.4,
      L2_V: 230.1,
      L3_V: 230.8,
      total_import_Wh: 12_345_670,
      total_export_Wh: 890,
    },
  },
  {
    name: 'Kaifa list 1',
    format: 'hdlc',
    bytes: hdlc(withLlc(notification(structure(u32(5852)), kaifaTime)), {
      addresses: [0x01, 0x02, 0x01],
      control: 0x10,
    }),
    device_id: '',
    meter_time: meterTime,
    meter: { W: 5852 },
  },
  {
    name: 'Kaifa list 2, one phase',
    format: 'hdlc',
    bytes: hdlc(withLlc(notification(structure(...kaifaNamed, ...kaifaPowers, u32(4120), u32(2311)), kaifaTime))),
    device_id: '6970630000000018',
    meter_time: meterTime,
    meter: { W: -2750, L1_A: -4.12, L1_V: 231.1 },
  },
  {
    name: 'Kaifa list 2, three phases',
    format: 'hdlc',
    bytes: hdlc(withLlc(notification(structure(...kaifaNamed, ...kaifaPowers, ...kaifaPhases), kaifaTime))),
    device_id: '6970630000000018',
    meter_time: meterTime,
    meter: { W: -2750, ...kaifaPhaseValues },
  },
  {
    name: 'Kaifa list 3',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          structure(...kaifaNamed, ...kaifaPowers, ...kaifaPhases, kaifaTime, u32(8_912_345), u32(77), u32(5), u32(6)),
          kaifaTime,
        ),
      ),
    ),
    device_id: '6970630000000018',
    meter_time: meterTime,
    meter: { W: -2750, ...kaifaPhaseValues, total_import_Wh: 8_912_345, total_export_Wh: 77 },
  },
  {
    name: 'Kaifa SE',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          structure(
            ...pair('1-0:0.2.129', asOctets('KFM_001')),
            ...pair('0-0:96.1.0', asOctets('7340000000000019')),
            ...pair('1-0:1.7.0', u32(1500)),
            ...pair('1-0:2.7.0', u32(0)),
            ...pair('1-0:31.7.0', u32(6502)),
            ...pair('1-0:32.7.0', u32(2304)),
            ...pair('1-0:1.8.0', u32(45_000_123)),
          ),
        ),
      ),
    ),
    device_id: '7340000000000019',
    meter: { W: 1500, L1_A: 6.502, L1_V: 230.4, total_import_Wh: 45_000_123 },
  },
  {
    name: 'Kamstrup, one phase and energy',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          structure(
            visible('Kamstrup_V0001'),
            ...pair('1-1:0.0.5', visible('5706560000000020')),
            ...pair('1-1:96.1.1', visible('6841138BN245101090')),
            ...pair('1-1:1.7.0', u32(826)),
            ...pair('1-1:2.7.0', u32(0)),
            ...pair('1-1:31.7.0', u32(896)),
            nothing,
            nothing,
            nothing,
            nothing,
            ...pair('1-1:32.7.0', u16(225)),
            nothing,
            nothing,
            ...pair('1-1:1.8.0', u32(6_307_498)),
            ...pair('1-1:2.8.0', nothing),
          ),
          [0x0c, ...clockBytes],
        ),
      ),
      { addresses: [0x2b, 0x21] },
    ),
    device_id: '5706560000000020',
    meter_time: meterTime,
    meter: { W: 826, L1_A: 8.96, L1_V: 225, total_import_Wh: 63_074_980 },
  },
  {
    name: 'Landis+Gyr ZMF100 with its wrong tag',
    format: 'hdlc',
    bytes: hdlc(
      withLlc(
        notification(
          array(
            structure(obis('1-1:0.2.129'), visible('EMBRIQ_V1_1')),
            structure(obis('0-0:96.1.0'), visible('40790021\0\0\0\0\0\0\0\0')),
            aidonPower(560),
            structure([0x06, 0x09, ...codeBytes('1-0:31.7.0')], i16(244), scale(-2, 33)),
            structure([0x06, 0x09, ...codeBytes('1-0:51.7.0')], i16(0), scale(-2, 33)),
            structure(obis('1-0:32.7.0'), u16(2330), scale(-1, 35)),
            structure(obis('0-0:1.8.0'), u32(34_479), scale(0, 30)),
          ),
        ),
      ),
    ),
    device_id: '40790021',
    meter: { W: 560, L1_A: 2.44, L2_A: 0, L1_V: 233, total_import_Wh: 34_479 },
  },
];
