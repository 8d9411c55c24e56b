import { type Fixture, i16, i32, text, u16, u32 } from '../encode.ts';

export const solis: readonly Fixture[] = [
  {
    profile: 'solis',
    says: 'an S6 that charges, with firmware that sends magnitudes',
    input: {
      33004: text('6031050225260011', 16),
      33029: u32(4321),
      33049: [...u16(3301), ...u16(42), ...u16(3290), ...u16(41)],
      33057: u32(2760),
      33093: i16(378),
      33096: i16(-35),
      33133: [...u16(512), ...i16(251), ...u16(0)],
      33139: u16(58),
      33149: i32(1285),
      33161: u32(900),
      33165: u32(850),
      33251: [...u16(2341), ...u16(512), ...u16(2340), ...u16(33), ...u16(2339), ...u16(44)],
      33257: [...i32(-1100), ...i32(30), ...i32(40), ...i32(-1030)],
      33282: [...u16(5004), ...u32(120_000), ...u32(340_000)],
    },
    serial: '6031050225260011',
    expected: {
      pv: { W: -2760, mppt1_A: 4.2, heatsink_C: 37.8, total_generation_Wh: 4_321_000 },
      battery: { W: 1285, A: 25.1, V: 51.2, SoC_nom_fract: 0.58, temperature_C: -3.5, total_charge_Wh: 900_000 },
      meter: { W: 1030, L1_W: 1100, L2_W: -30, L1_A: 5.12, Hz: 50.04, total_export_Wh: 3_400_000 },
    },
    later: [
      { says: 'it discharges', input: { 33135: u16(1) }, expected: { battery: { W: -1285, A: -25.1 } } },
      {
        says: 'it discharges, with firmware that sends signed values',
        input: { 33134: [...i16(-251), ...u16(1)], 33149: i32(-1285) },
        expected: { battery: { W: -1285, A: -25.1 } },
      },
      {
        says: 'an unknown direction gives no value',
        input: { 33135: u16(7) },
        expected: { battery: { W: undefined, A: undefined, V: 51.2 } },
      },
    ],
  },
];
