import { type Bank, counters, phases, table } from '../bank.ts';

/** Eastron SDM630: input registers, floats, + import. The serial is a number. */
export const sdm630 = (serial: number): Bank => ({
  profile: 'sdm630',
  title: 'Eastron SDM630 meter',
  unit: 1,
  maxReadCount: 80,
  input: table({ 0: 80 }, [
    ...phases(0, 'f32', 'V'),
    ...phases(6, 'f32', ({ A }) => Math.abs(A)),
    ...phases(12, 'f32', 'W'),
    [52, 'f32', (h) => h.meter_W],
    [70, 'f32', (h) => h.Hz],
    ...counters('f32', 1000, { imported: 72, exported: 74 }),
  ]),
  holding: { rows: [[64512, 'u32', serial]] },
});
