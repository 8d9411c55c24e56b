import { type Fixture, f32le, u16 } from '../encode.ts';

export const ferroampModbus: readonly Fixture[] = [
  {
    profile: 'ferroamp_modbus',
    says: 'an EnergyHub that discharges',
    input: {
      2000: u16(2),
      2016: f32le(50.02),
      2032: [...f32le(231.5), 0, 0, ...f32le(230.25), 0, 0, ...f32le(229.75)],
      3064: [...f32le(1234.5), 0, 0, ...f32le(4321.25)],
      3100: f32le(-1.75),
      3112: [...f32le(-2.5), 0, 0, ...f32le(1.25), 0, 0, ...f32le(0.5)],
      5064: f32le(9000),
      5100: f32le(3.4),
      6008: f32le(15.2),
      6016: f32le(55.5),
      6064: [...f32le(700), 0, 0, ...f32le(800)],
      6100: f32le(0.9),
    },
    expected: {
      pv: { W: -3400, total_generation_Wh: 9_000_000 },
      battery: { W: -900, SoC_nom_fract: 0.555, total_discharge_Wh: 700_000, total_charge_Wh: 800_000 },
      meter: { W: -1750, L1_V: 231.5, L1_A: -2.5, Hz: 50.02, total_import_Wh: 4_321_250 },
    },
    later: [
      {
        says: 'it charges; one float is NaN',
        input: { 6100: f32le(-2.1), 2032: f32le(Number.NaN), 3112: f32le(Number.POSITIVE_INFINITY) },
        expected: { battery: { W: 2100 }, meter: { L1_V: undefined, L1_A: undefined, L2_V: 230.25 } },
      },
    ],
  },
];
