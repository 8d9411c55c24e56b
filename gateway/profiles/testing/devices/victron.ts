import { type Fixture, i16, text, u16 } from '../encode.ts';

export const victron: readonly Fixture[] = [
  {
    profile: 'victron',
    says: 'a Cerbo that exports',
    holding: {
      800: text('c0619ab12345', 6),
      808: [...u16(100), ...u16(0), ...u16(0), ...u16(250), ...u16(260), ...u16(0xffff)],
      820: [...i16(-900), ...i16(200), ...i16(-50)],
      840: [...u16(524), ...i16(210), ...i16(1100), ...u16(66)],
      850: u16(1900),
    },
    serial: 'c0619ab12345',
    expected: {
      pv: { W: -2510 },
      battery: { W: 1100, A: 21, V: 52.4, SoC_nom_fract: 0.66 },
      meter: { W: -750, L1_W: -900 },
    },
    later: [
      {
        says: 'it discharges',
        holding: { 841: [...i16(-210), ...i16(-1100)] },
        expected: { battery: { W: -1100, A: -21 } },
      },
    ],
  },
];
