import { type Fixture, i16, i32, text, u16, u32 } from '../encode.ts';

export const solinteg: readonly Fixture[] = [
  {
    profile: 'solinteg',
    says: 'an MHT that discharges and exports',
    holding: {
      10000: text('A110010212345678', 8),
      10994: [...i32(100), ...i32(-20), ...i32(30), ...i32(110), ...u32(4000), ...u32(5000)],
      11009: [...u16(2288), 0, ...u16(2289), 0, ...u16(2290), 0, ...u16(4996)],
      11028: u32(4321),
      11038: [...u16(5100), ...u16(41), ...u16(5200), ...u16(42)],
      30254: [...u16(3100), ...i16(33)],
      30258: i32(1023),
      31108: [...u32(600), ...u32(500), ...u32(9000)],
      33000: u16(8123),
    },
    serial: 'A110010212345678',
    expected: {
      pv: { W: -4321, mppt1_V: 510, total_generation_Wh: 900_000 },
      battery: { W: -1023, A: -3.3, V: 310, SoC_nom_fract: 0.8123, total_charge_Wh: 60_000 },
      meter: { W: -110, L1_W: -100, L2_W: 20, L1_V: 228.8, Hz: 49.96, total_export_Wh: 40_000 },
    },
    later: [{ says: 'it charges', holding: { 30258: i32(-70_000) }, expected: { battery: { W: 70_000 } } }],
  },
];
