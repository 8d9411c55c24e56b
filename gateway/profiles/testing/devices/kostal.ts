import { type Fixture, f32le, i16, text, u16 } from '../encode.ts';

export const kostal: readonly Fixture[] = [
  {
    profile: 'kostal',
    says: 'a Plenticore with a battery, which uses the third input',
    holding: {
      14: text('90342HAF0001X', 8),
      152: f32le(49.99),
      216: f32le(350.5),
      252: f32le(-812.5),
      260: f32le(1000.5),
      270: f32le(2000.25),
      280: f32le(777),
      320: f32le(5_000_000),
      514: u16(82),
      531: u16(8500),
      582: i16(-777),
      1068: f32le(10_240),
    },
    serial: '90342HAF0001X',
    rated_power_W: 8500,
    expected: {
      pv: { W: -3000.75, total_generation_Wh: 5_000_000 },
      battery: { W: 777, V: 350.5, SoC_nom_fract: 0.82 },
      meter: { W: -812.5, Hz: 49.99 },
    },
    later: [{ says: 'it discharges', holding: { 582: i16(500) }, expected: { battery: { W: -500 } } }],
  },
  {
    profile: 'kostal',
    says: 'a PIKO IQ without battery: three strings',
    holding: {
      14: text('90350KAA0002Y', 8),
      152: f32le(50.01),
      216: f32le(0),
      252: f32le(812.5),
      260: f32le(100),
      270: f32le(200),
      280: f32le(300),
      320: f32le(1000),
      514: u16(0),
      582: i16(0),
      1068: f32le(0),
    },
    serial: '90350KAA0002Y',
    expected: { pv: { W: -600 }, meter: { W: 812.5 } },
  },
];
