import { type Fixture, i16, i32le, text, u16, u32le } from '../encode.ts';

export const solax: readonly Fixture[] = [
  {
    profile: 'solax',
    says: 'an X1 that charges and exports',
    holding: { 0: text('H1E50112345678', 7) },
    input: {
      7: u16(4999),
      10: [...u16(1111), ...u16(2222)],
      20: [...u16(2100), ...i16(60), ...i16(1260)],
      24: i16(28),
      28: [...u16(77), ...u32le(70_000)],
      33: u32le(80_000),
      70: [...i32le(1500), ...u32le(100_000), ...u32le(200_000)],
      148: u32le(90_000),
      202: [...u16(2333), ...u16(0), ...u16(0), 0, ...i16(-65), ...i16(0), ...i16(0)],
    },
    serial: 'H1E50112345678',
    expected: {
      pv: { W: -3333, total_generation_Wh: 9_000_000 },
      battery: { W: 1260, A: 6, V: 210, SoC_nom_fract: 0.77, temperature_C: 28, total_discharge_Wh: 7_000_000 },
      meter: { W: -1500, L1_V: 233.3, L1_A: -6.5, Hz: 49.99, total_export_Wh: 1_000_000 },
    },
    later: [
      {
        says: 'it discharges and imports; on three phases register 7 is not the frequency',
        input: { 7: u16(210), 22: i16(-900), 70: i32le(-70_000) },
        expected: { battery: { W: -900 }, meter: { W: 70_000, Hz: undefined } },
      },
    ],
  },
];
