import { type Fixture, i16, text, u16, u32 } from '../encode.ts';

export const saj: readonly Fixture[] = [
  {
    profile: 'saj',
    says: 'an H2 that discharges and exports',
    holding: {
      16434: i16(-123),
      16441: i16(45),
      16448: i16(67),
      16549: [...i16(2100), ...i16(400)],
      16557: i16(-2300),
      16581: u32(100_000),
      16597: u32(20_000),
      16637: u32(30_000),
      36611: text('H2S2103J2148E0', 10),
      40972: u16(6543),
    },
    serial: 'H2S2103J2148E0',
    expected: {
      pv: { W: -2100, total_generation_Wh: 1_000_000 },
      battery: { W: -400, SoC_nom_fract: 0.6543, total_discharge_Wh: 200_000 },
      meter: { W: -2300, L1_A: -1.23, total_export_Wh: 300_000 },
    },
    later: [{ says: 'it charges', holding: { 16550: i16(-650) }, expected: { battery: { W: 650 } } }],
  },
];
