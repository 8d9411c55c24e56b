import { type Fixture, f32, i16, text, u16 } from '../encode.ts';
import { chain, common, model, tracker } from '../sunspec-words.ts';

export const fronius: readonly Fixture[] = [
  {
    profile: 'fronius',
    says: 'a GEN24 hybrid: floats, and the battery among four trackers',
    holding: {
      40000: chain(
        common('Fronius', 'Symo GEN24 10.0', '34567890'),
        model(113, 60, { 22: f32(4100.5), 24: f32(50.01), 32: f32(7_654_321), 38: f32(4200), 42: f32(Number.NaN) }),
        model(120, 26, { 3: [...u16(10_000), ...i16(0)], 19: [...u16(0xffff), ...i16(0)] }),
        model(160, 88, {
          2: [...i16(-2), ...i16(-1), ...i16(0), ...i16(0), 0, 0, ...u16(4)],
          10: [
            ...tracker('MPPT 1', 512, 4005, 2050),
            ...tracker('MPPT 2', 401, 3990, 1600),
            ...tracker('StCha 3', 0, 0, 900),
            ...tracker('StDisCha 4', 0, 0, 0),
          ],
        }),
        model(124, 24, { 2: u16(5000), 8: u16(6250), 10: u16(0xffff), 18: i16(0), 22: i16(-2), 24: i16(-1) }),
      ),
    },
    serial: '34567890',
    rated_power_W: 10_000,
    expected: {
      pv: { W: -3650, ac_W: -4100.5, mppt1_V: 400.5, mppt1_A: 5.12, Hz: 50.01, total_generation_Wh: 7_654_321 },
      battery: { W: 900, SoC_nom_fract: 0.625, V: undefined },
    },
    later: [
      {
        says: 'at night the trackers have no values, and the AC power is that of the battery',
        holding: { 40092: f32(1950), 40181: u16(0xffff), 40201: u16(0xffff), 40221: u16(0), 40241: u16(2000) },
        expected: { pv: { W: undefined, ac_W: -1950 }, battery: { W: -2000 } },
      },
    ],
  },
  {
    profile: 'fronius',
    says: 'a Symo without readable header: model 113 at its usual address',
    holding: {
      40052: text('29301000123', 16),
      40091: [...f32(1500.5), ...f32(49.99)],
      40101: f32(1_000_000),
      40107: f32(1600),
      40111: f32(36.5),
    },
    serial: '29301000123',
    expected: { pv: { W: -1500.5, dc_W: -1600, heatsink_C: 36.5 }, meter: { Hz: 49.99 } },
  },
];
