import { type Fixture, i16, text, u32 } from '../encode.ts';

export const foxess: readonly Fixture[] = [
  {
    profile: 'foxess',
    says: 'an H3 that discharges',
    holding: {
      30000: [...text('H3-10.0-E', 16), ...text('66BH10010AB0001', 16)],
      31002: i16(1500),
      31005: i16(1600),
      31026: [...i16(-400), ...i16(100), ...i16(50)],
      31034: [...i16(3050), ...i16(39), ...i16(1190), 0, ...i16(71)],
      32012: u32(12_300),
    },
    serial: '66BH10010AB0001',
    expected: {
      pv: { W: -3100 },
      battery: { W: -1190, A: -3.9, V: 305, SoC_nom_fract: 0.71 },
      meter: { W: 250, L1_W: 400, L2_W: -100, total_import_Wh: 1_230_000 },
    },
    later: [
      {
        says: 'it charges',
        holding: { 31035: [...i16(-39), ...i16(-1190)] },
        expected: { battery: { W: 1190, A: 3.9 } },
      },
    ],
  },
];
