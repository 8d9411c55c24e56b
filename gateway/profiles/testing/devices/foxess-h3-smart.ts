import { type Fixture, i16, i32, text, u16, u32 } from '../encode.ts';

export const foxessH3Smart: readonly Fixture[] = [
  {
    profile: 'foxess_h3_smart',
    says: 'an H3 Smart that charges and exports',
    holding: {
      30000: [...text('H3-12.0-Smart', 16), ...text('60KB12030CD0002', 16)],
      37612: u16(93),
      38814: [...i32(12_345), ...i32(5000), ...i32(4000), ...i32(3345)],
      39123: [...u16(2310), ...u16(2311), ...u16(2312)],
      39139: [...u16(5000), 0, ...i16(412)],
      39227: [...u16(4102), ...i32(-7312), 0, 0, 0, 0, 0, 0, 0, ...i32(-2999)],
      39279: [...i32(3000), ...i32(2000)],
      39617: u32(54_321),
    },
    serial: '60KB12030CD0002',
    expected: {
      pv: { W: -5000, heatsink_C: 41.2 },
      battery: { W: 2999, A: 7.312, V: 410.2, SoC_nom_fract: 0.93 },
      meter: { W: -1234.5, L1_W: -500, L1_V: 231, Hz: 50, total_import_Wh: 543_210 },
    },
    later: [{ says: 'it imports', holding: { 38814: i32(-10) }, expected: { meter: { W: 1 } } }],
  },
];
