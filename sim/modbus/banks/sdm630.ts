import type { Bank } from '../bank.ts';

/** Eastron SDM630: input registers, floats, + import. The serial is a number on this wire. */
export const sdm630 = (serial: number): Bank => ({
  profile: 'sdm630',
  title: 'Eastron SDM630 meter',
  unit: 1,
  maxReadCount: 80,
  input: {
    areas: [[0, 80]],
    rows: [
      [0, 'f32', (h) => h.phases[0].V],
      [2, 'f32', (h) => h.phases[1].V],
      [4, 'f32', (h) => h.phases[2].V],
      [6, 'f32', (h) => Math.abs(h.phases[0].A)],
      [8, 'f32', (h) => Math.abs(h.phases[1].A)],
      [10, 'f32', (h) => Math.abs(h.phases[2].A)],
      [12, 'f32', (h) => h.phases[0].W],
      [14, 'f32', (h) => h.phases[1].W],
      [16, 'f32', (h) => h.phases[2].W],
      [52, 'f32', (h) => h.meter_W],
      [70, 'f32', (h) => h.Hz],
      [72, 'f32', (h) => h.Wh.imported, 1000],
      [74, 'f32', (h) => h.Wh.exported, 1000],
    ],
  },
  holding: { rows: [[64512, 'u32', serial]] },
});
