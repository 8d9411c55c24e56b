import { type Fixture, i16, i32, text, u16, u32 } from '../encode.ts';

export const alphaEss: readonly Fixture[] = [
  {
    profile: 'alpha_ess',
    says: 'a SMILE-T10 that discharges',
    holding: {
      16: [...u32(5000), ...u32(6000)],
      23: [...i16(-12), ...i16(3), ...i16(4)],
      33: i32(1234),
      161: i32(300),
      256: [...u16(2400), ...i16(55), ...u16(481)],
      281: u16(101),
      288: [...u32(7000), ...u32(6500)],
      294: i16(1320),
      1052: u16(4997),
      1055: [...u32(400), 0, 0, ...u32(500)],
      1086: u32(88_888),
      1610: text('AL2002021060123', 8),
    },
    serial: 'AL2002021060123',
    expected: {
      pv: { W: -1200, total_generation_Wh: 8_888_800 },
      battery: { W: -1320, A: -5.5, V: 240, SoC_nom_fract: 0.481, total_charge_Wh: 700_000 },
      meter: { W: 1234, L1_A: -1.2, Hz: 49.97, total_export_Wh: 50_000, total_import_Wh: 60_000 },
    },
    later: [
      {
        says: 'it charges and exports',
        holding: { 294: i16(-900), 33: i32(-50) },
        expected: { battery: { W: 900 }, meter: { W: -50 } },
      },
    ],
  },
];
