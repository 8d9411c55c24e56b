import { type Fixture, i32, u16, u32, u64 } from '../encode.ts';

export const abbB2x: readonly Fixture[] = [
  {
    profile: 'abb_b2x',
    says: 'a B23 that imports',
    holding: {
      20480: [...u64(1_234_567), ...u64(89)],
      23296: [...u32(2301), ...u32(2302), ...u32(2303)],
      23308: [...u32(512), ...u32(13), ...u32(14)],
      23316: [...i32(123_456), ...i32(120_001), ...i32(-100), ...i32(3555)],
      23340: u16(5005),
      35072: u32(2_345_678),
    },
    serial: '2345678',
    expected: {
      meter: { W: 1234.56, L1_W: 1200.01, L2_W: -1, L1_V: 230.1, L1_A: 5.12, Hz: 50.05, total_import_Wh: 12_345_670 },
    },
    later: [{ says: 'it exports', holding: { 23316: i32(-5) }, expected: { meter: { W: -0.05 } } }],
  },
];
