import { type Fixture, i32le, text, u16 } from '../encode.ts';

export const carloGavazziEm340: readonly Fixture[] = [
  {
    profile: 'carlo_gavazzi_em340',
    says: 'a meter that exports',
    input: {
      0: [...i32le(2304), ...i32le(2305), ...i32le(2306)],
      12: [...i32le(1234), ...i32le(-567), ...i32le(89), ...i32le(-2800), ...i32le(1300), ...i32le(200)],
      40: i32le(-1300),
      51: [...u16(500), ...i32le(70_000)],
      78: i32le(80_000),
      20480: text('KS0123456789', 7),
    },
    serial: 'KS0123456789',
    expected: {
      meter: { W: -130, L1_W: -280, L1_V: 230.4, L1_A: -1.234, L2_A: 0.567, Hz: 50, total_import_Wh: 7_000_000 },
    },
    later: [{ says: 'it imports', input: { 40: i32le(70_000) }, expected: { meter: { W: 7000 } } }],
  },
];
