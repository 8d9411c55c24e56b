import { type Fixture, i16, i32, u16 } from '../encode.ts';
import { chain, common, meter, model } from '../sunspec-words.ts';

export const pixii: readonly Fixture[] = [
  {
    profile: 'pixii',
    says: 'a PowerShaper that charges; its inverter model is not solar',
    holding: {
      39958: [...i32(1399), ...i32(1278)],
      40000: chain(
        common('Pixii', 'PowerShaper', 'PX123456'),
        model(103, 50, { 14: [...i16(-2000), ...i16(0), ...u16(5000), ...i16(-2)] }),
        model(802, 62, {
          3: [...u16(400), ...u16(0), ...u16(250)],
          11: u16(790),
          34: u16(5120),
          44: i16(39),
          47: i16(2000),
          53: [...i16(2), ...i16(2), 0, ...i16(-1)],
          59: [...i16(-1), 0, ...i16(0), 0, ...i16(0)],
        }),
        meter,
      ),
    },
    serial: 'PX123456',
    expected: {
      battery: { W: 2000, A: 39, V: 512, SoC_nom_fract: 0.79, total_charge_Wh: 1_399_000 },
      meter: { W: -1500, L1_W: -2000, L1_A: -3.1, L1_V: 231.1, Hz: 50.01, total_import_Wh: 550_000 },
    },
  },
];
