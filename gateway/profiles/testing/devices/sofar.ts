import { type Fixture, i16, text, u16, u32 } from '../encode.ts';

export const sofar: readonly Fixture[] = [
  {
    profile: 'sofar',
    says: 'a HYD G3 that discharges and imports',
    holding: {
      1093: text('SP1ES120N7A001', 7),
      1156: u16(5003),
      1160: i16(-25),
      1165: u16(2295),
      1170: [...u16(310), ...i16(-70)],
      1176: u16(2296),
      1181: [...u16(90), ...i16(20)],
      1187: u16(2297),
      1192: [...u16(120), ...i16(25)],
      1412: [...u16(4005), ...u16(501), ...u16(200), ...u16(3905), ...u16(401), ...u16(150)],
      1540: [...u16(4012), ...i16(-250), ...i16(-100), ...i16(23), ...u16(45)],
      1670: u32(70_000),
      1678: u32(1000),
      1682: u32(2000),
      1686: u32(3000),
      1690: u32(4000),
    },
    serial: 'SP1ES120N7A001',
    expected: {
      pv: { W: -3500, mppt1_V: 400.5, mppt1_A: 5.01, total_generation_Wh: 7_000_000 },
      battery: { W: -1000, A: -2.5, V: 401.2, SoC_nom_fract: 0.45, temperature_C: 23, total_charge_Wh: 300_000 },
      meter: { W: 250, L1_W: 700, L2_W: -200, L1_A: 3.1, Hz: 50.03, total_import_Wh: 100_000 },
    },
    later: [{ says: 'it charges', holding: { 1542: i16(120) }, expected: { battery: { W: 1200 } } }],
  },
];
