import { type Fixture, i16, i32le, text, u16, u32le } from '../encode.ts';

export const sungrow: readonly Fixture[] = [
  {
    profile: 'sungrow',
    says: 'an SH10RT that charges its battery',
    input: {
      4989: text('A2290500012', 10),
      4999: u16(0x0e03),
      5000: u16(100),
      5007: i16(-12),
      5010: [...u16(6201), ...u16(41), ...u16(5987), ...u16(39)],
      5016: u32le(4872),
      5241: u16(5001),
      5600: [...i32le(-70_000), ...i32le(-30_000), ...i32le(-20_000), ...i32le(-20_000)],
      5740: [...u16(2311), ...u16(2298), ...u16(2305), ...u16(4321), ...u16(2900), ...u16(2899)],
      13000: u16(0b011),
      13002: u32le(70_001),
      13019: [...u16(2512), ...i16(83), ...i16(2085), ...u16(755)],
      13024: i16(214),
      13026: u32le(12_345),
      13036: u32le(99_999),
      13040: u32le(13_000),
      13045: u32le(65_540),
    },
    serial: 'A2290500012',
    rated_power_W: 10_000,
    expected: {
      pv: { W: -4872, mppt1_V: 620.1, mppt1_A: 4.1, heatsink_C: -1.2, total_generation_Wh: 7_000_100 },
      battery: { W: 2085, A: 8.3, V: 251.2, SoC_nom_fract: 0.755, temperature_C: 21.4, total_charge_Wh: 1_300_000 },
      meter: { W: -70_000, L1_W: -30_000, L1_V: 231.1, L1_A: -43.21, Hz: 50.01, total_export_Wh: 6_554_000 },
    },
    later: [
      {
        says: 'older firmware discharges: a magnitude and a direction bit',
        input: { 13000: u16(0b100) },
        expected: { battery: { W: -2085, A: -8.3 } },
      },
      {
        says: 'newer firmware sends signed values',
        input: { 13000: u16(0b100), 13020: [...i16(-83), ...i16(-2085)] },
        expected: { battery: { W: -2085, A: -8.3 } },
      },
      {
        says: 'the battery is idle',
        input: { 13000: u16(0), 13020: [...i16(0), ...i16(0)], 13024: i16(0x7fff) },
        expected: { battery: { W: 0, A: 0, temperature_C: undefined } },
      },
    ],
  },
  {
    profile: 'sungrow',
    says: 'an SG8.0RT string inverter without meter',
    input: {
      4989: text('B1120300777', 10),
      4999: u16(0x243e),
      5000: u16(80),
      5003: u32le(8123),
      5007: i16(455),
      5010: [...u16(5800), ...u16(61), ...u16(0), ...u16(0)],
      5016: u32le(3540),
      5600: [...i32le(0x7fff_ffff), ...i32le(0x7fff_ffff), ...i32le(0x7fff_ffff), ...i32le(0x7fff_ffff)],
    },
    serial: 'B1120300777',
    rated_power_W: 8000,
    expected: { pv: { W: -3540, total_generation_Wh: 8_123_000 } },
  },
];
