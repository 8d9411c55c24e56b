import { type Fixture, f32, i16, i32, text, u16, u32, u64 } from '../encode.ts';

export const goodwe: readonly Fixture[] = [
  {
    profile: 'goodwe',
    says: 'an ET whose meter has 45 registers and counts in floats',
    holding: {
      35001: [...u16(8000), 0, ...text('98000ETU21AB0001', 8), ...text('GW8K-ET', 5)],
      35103: [...u16(3120), ...u16(44), ...u32(1370), ...u16(3050), ...u16(40), ...u32(1220)],
      35113: [...u32(0xffff_ffff), 0, 0, ...u32(0xffff_ffff)],
      35176: i16(399),
      35180: [...u16(2410), ...i16(102), ...i32(2458)],
      35191: u32(43_210),
      35206: [...u32(2000), 0, ...u32(1900)],
      36014: [...u16(5002), ...f32(12_345.5), ...f32(67_890), ...i32(-400), ...i32(100), ...i32(-10), ...i32(-310)],
      37003: i16(221),
      37007: u16(37),
    },
    serial: '98000ETU21AB0001',
    rated_power_W: 8000,
    expected: {
      pv: { W: -2590, mppt1_V: 312, heatsink_C: 39.9, total_generation_Wh: 4_321_000 },
      battery: { W: -2458, A: -10.2, V: 241, SoC_nom_fract: 0.37, total_charge_Wh: 200_000 },
      meter: { W: 310, L1_W: 400, L2_W: -100, Hz: 50.02, total_export_Wh: 12_345.5, total_import_Wh: 67_890 },
    },
    later: [
      {
        says: 'it charges and exports',
        holding: { 35181: [...i16(-102), ...i32(-2458)], 36025: i32(50) },
        expected: { battery: { W: 2458, A: 10.2 }, meter: { W: -50 } },
      },
    ],
  },
  {
    profile: 'goodwe',
    says: 'an ET with newer firmware and other counters',
    holding: {
      35003: text('98000ETU24AB0002', 8),
      35105: u32(900),
      35109: u32(100),
      36014: [...u16(5001), ...f32(0), ...f32(0), ...i32(0), ...i32(0), ...i32(0), ...i32(250)],
      36104: u64(1000),
      36120: u64(2000),
    },
    serial: '98000ETU24AB0002',
    expected: { pv: { W: -1000 }, meter: { W: -250, total_export_Wh: 10_000, total_import_Wh: 20_000 } },
    later: [
      {
        says: 'a counter without value does not fall back to the zero of older firmware',
        holding: { 36104: [0xffff, 0xffff, 0xffff, 0xffff] },
        expected: { meter: { total_export_Wh: undefined, total_import_Wh: 20_000 } },
      },
    ],
  },
];
