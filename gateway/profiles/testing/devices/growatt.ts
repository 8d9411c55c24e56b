import { type Fixture, text, u16, u32 } from '../encode.ts';

export const growatt: readonly Fixture[] = [
  {
    profile: 'growatt',
    says: 'an SPH that charges',
    holding: { 6: u32(60_000), 23: text('SPH6A1B2C3', 5) },
    input: {
      1: [...u32(34_567), ...u16(3333), ...u16(52), 0, 0, ...u16(3322), ...u16(51)],
      37: [...u16(4998), ...u16(2322)],
      91: u32(54_321),
      1009: [...u32(0), ...u32(12_345), ...u16(531), ...u16(71)],
      1021: u32(0),
      1029: u32(20_001),
      1040: u16(253),
      1046: u32(700),
      1050: u32(800),
      1054: u32(900),
      1058: u32(1000),
    },
    serial: 'SPH6A1B2C3',
    rated_power_W: 6000,
    expected: {
      pv: { W: -3456.7, mppt1_V: 333.3, total_generation_Wh: 5_432_100 },
      battery: { W: 1234.5, V: 53.1, SoC_nom_fract: 0.71, temperature_C: 25.3, total_charge_Wh: 100_000 },
      meter: { W: -2000.1, L1_V: 232.2, L2_V: undefined, Hz: 49.98, total_import_Wh: 70_000 },
    },
    later: [
      {
        says: 'it discharges and imports',
        input: { 1009: [...u32(5000), ...u32(0)], 1021: u32(3), 1029: u32(0) },
        expected: { battery: { W: -500 }, meter: { W: 0.3 } },
      },
    ],
  },
  {
    profile: 'growatt',
    says: 'a MOD TL-XH, without registers at 1000',
    holding: { 6: u32(100_000), 23: text('MODX123456', 5) },
    input: {
      37: [...u16(5001), ...u16(2299)],
      3005: [...u32(11_110), 0, 0, ...u32(22_220)],
      3041: [...u32(15_000), ...u32(0)],
      3053: u32(444),
      3069: u32(555),
      3127: u32(666),
      3171: u16(88),
      3178: [...u32(7000), ...u32(0)],
    },
    serial: 'MODX123456',
    rated_power_W: 10_000,
    expected: {
      pv: { W: -3333, total_generation_Wh: 44_400 },
      battery: { W: -700, SoC_nom_fract: 0.88, total_discharge_Wh: 66_600 },
      meter: { W: 1500, Hz: 50.01, total_import_Wh: 55_500 },
    },
  },
];
