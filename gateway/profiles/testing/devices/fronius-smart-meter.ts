import { type Fixture, f32 } from '../encode.ts';
import { chain, common, model } from '../sunspec-words.ts';

export const froniusSmartMeter: readonly Fixture[] = [
  {
    profile: 'fronius_smart_meter',
    says: 'a meter with floats that imports',
    holding: {
      40000: chain(
        common('Fronius', 'Smart Meter 63A', '16220123'),
        model(213, 124, {
          4: [...f32(1.5), ...f32(-0.5), ...f32(0.25)],
          12: [...f32(230.5), ...f32(231), ...f32(231.5)],
          26: [...f32(50), ...f32(345.5), ...f32(400), ...f32(-80), ...f32(25.5)],
          60: f32(1000),
          68: f32(2000),
        }),
      ),
    },
    serial: '16220123',
    expected: {
      meter: { W: 345.5, L1_W: 400, L2_W: -80, L1_V: 230.5, L2_A: -0.5, Hz: 50, total_export_Wh: 1000 },
    },
    later: [{ says: 'it exports', holding: { [40_070 + 28]: f32(-99.5) }, expected: { meter: { W: -99.5 } } }],
  },
];
