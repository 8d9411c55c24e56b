import { type Fixture, i32le, text, u16 } from '../encode.ts';

export const e3dc: readonly Fixture[] = [
  {
    profile: 'e3dc',
    says: 'an S10 that charges and exports',
    holding: {
      40000: u16(0xe3dc),
      40035: text('S10-491234567890', 16),
      40067: [...i32le(5200), ...i32le(1500), ...i32le(700), ...i32le(-3100), ...i32le(-100)],
      40082: u16(47),
    },
    serial: 'S10-491234567890',
    expected: { pv: { W: -5300 }, battery: { W: 1500, SoC_nom_fract: 0.47 }, meter: { W: -3100 } },
    later: [
      {
        says: 'it discharges and imports',
        holding: { 40069: i32le(-800), 40073: i32le(20) },
        expected: { battery: { W: -800 }, meter: { W: 20 } },
      },
    ],
  },
];
