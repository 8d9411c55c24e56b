import { type Fixture, i32, u16 } from '../encode.ts';

export const sigenergy: readonly Fixture[] = [
  {
    profile: 'sigenergy',
    says: 'a plant that charges',
    input: {
      30005: i32(-1200),
      30014: u16(987),
      30035: [...i32(6000), ...i32(4100)],
      30052: [...i32(-400), ...i32(-500), ...i32(-300)],
    },
    expected: {
      pv: { W: -6000 },
      battery: { W: 4100, SoC_nom_fract: 0.987 },
      meter: { W: -1200, L1_W: -400 },
    },
    later: [{ says: 'it discharges', input: { 30037: i32(-10) }, expected: { battery: { W: -10 } } }],
  },
];
