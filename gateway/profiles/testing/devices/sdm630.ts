import { type Fixture, f32, u32 } from '../encode.ts';

export const sdm630: readonly Fixture[] = [
  {
    profile: 'sdm630',
    says: 'a meter that exports',
    holding: { 64512: u32(21_345_678) },
    input: {
      0: [...f32(230.1), ...f32(231.2), ...f32(232.3), ...f32(1.1), ...f32(2.2), ...f32(3.3)],
      12: [...f32(-250.5), ...f32(100.25), ...f32(-700)],
      52: f32(-850.25),
      70: [...f32(49.98), ...f32(1234.567), ...f32(7654.321)],
    },
    serial: '21345678',
    expected: {
      meter: { W: -850.25, L1_W: -250.5, L1_V: 230.1, L2_A: 2.2, Hz: 49.98, total_import_Wh: 1_234_567 },
    },
    later: [{ says: 'it imports', input: { 52: f32(386.2) }, expected: { meter: { W: 386.2 } } }],
  },
];
