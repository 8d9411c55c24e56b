import type { HouseState } from '../../house/state.ts';
import { counters, phases, type Row, registers } from '../bank.ts';
import type { Kind } from '../words.ts';
import type { Model } from './chain.ts';

type Value = (house: HouseState) => number;

const model = (id: number, length: number, rows: readonly Row[]): Model => ({ id, length, rows });

/** Scale factors: exponents of ten by offset. */
const factors = (exponents: Readonly<Record<number, number>>): Row[] => registers('i16', exponents);

/** Points that are not implemented: an unfilled i16 would read as a negative number. */
const none = (kind: Kind, ...offsets: number[]): Row[] => offsets.map((offset) => [offset, kind, undefined]);
const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
const zeros = (kind: Kind, ...offsets: number[]): Row[] => offsets.map((offset) => [offset, kind, 0]);

const ac_W: Value = (h) => -h.pv_W - h.battery_W; // PV and battery share the inverter
const chargeState: Value = (h) => (h.battery_W > 0 ? 4 : h.battery_W < 0 ? 3 : 6); // charging, discharging, holding

export const common = (maker: string, product: string, serial: string, length: 65 | 66 = 65): Model =>
  model(1, length, [
    [2, 16, maker],
    [18, 16, product],
    [34, 8, 'SIM'],
    [42, 8, '1.0'],
    [50, 16, serial],
    [66, 'u16', 1],
    ...(length === 66 ? zeros('u16', 67) : []),
  ]);

export const inverter103 = model(103, 50, [
  [2, 'u16', (h) => Math.abs(ac_W(h)) / h.phases[0].V, 0.01],
  ...phases(3, 'u16', ({ V }, h) => Math.abs(ac_W(h)) / 3 / V, 0.01),
  ...phases(10, 'u16', 'V', 0.1),
  [14, 'i16', ac_W],
  [16, 'u16', (h) => h.Hz, 0.01],
  [18, 'i16', ac_W],
  [20, 'i16', 0],
  [22, 'i16', 100],
  [24, 'u32', (h) => h.Wh.generated],
  [27, 'u16', (h) => -h.pv_W / 620, 0.01],
  [29, 'u16', 620, 0.1],
  [31, 'i16', ac_W],
  ...none('i16', 33, 35, 36),
  [34, 'i16', (h) => h.inverter_C, 0.1],
  [38, 'u16', (h) => (h.pv_W < 0 ? 4 : 2)], // MPPT or sleeping
  ...zeros('u16', ...range(39, 51)),
  ...factors({ 6: -2, 13: -1, 15: 0, 17: -2, 19: 0, 21: 0, 23: 0, 26: 0, 28: -2, 30: -1, 32: 0, 37: -1 }),
]);

export const inverter113 = model(113, 60, [
  [2, 'f32', (h) => Math.abs(ac_W(h)) / h.phases[0].V],
  ...phases(4, 'f32', ({ V }, h) => Math.abs(ac_W(h)) / 3 / V),
  ...phases(16, 'f32', 'V'),
  [22, 'f32', ac_W],
  [24, 'f32', (h) => h.Hz],
  [26, 'f32', ac_W],
  [28, 'f32', 0],
  [30, 'f32', 100],
  [32, 'f32', (h) => h.Wh.generated],
  ...none('f32', 10, 12, 14, 34, 36, 42, 44, 46),
  [38, 'f32', ac_W],
  [40, 'f32', (h) => h.inverter_C],
  [48, 'u16', (h) => (h.pv_W < 0 ? 4 : 2)],
  ...zeros('u16', ...range(49, 61)),
]);

export const nameplate120 = (rated_W: number, capacity_Wh: number): Model =>
  model(120, 26, [
    ...registers('u16', { 2: 82, 3: rated_W, 5: rated_W, 19: capacity_Wh, 23: 5000, 25: 5000 }), // 82: PV with storage
    ...none('i16', ...range(7, 10), ...range(14, 17), 22),
    [12, 'u16', rated_W / 690, 0.1],
    ...factors({ 4: 0, 6: 0, 11: 0, 13: -1, 18: 0, 20: 0, 24: 0, 26: 0 }),
  ]);

/** Immediate controls: the power limit, with its timeout. */
export const controls123: Model = {
  ...model(123, 24, [...none('i16', 10, 15, 16, 17), ...factors({ 23: 0, 24: -2, 25: 0 })]),
  settings: registers('u16', { 4: 1, 5: 100, 6: 0, 7: 0, 8: 0, 9: 0 }),
};

export const storage124 = (max_W: number): Model => ({
  ...model(124, 24, [
    [2, 'u16', max_W],
    [8, 'u16', (h) => h.battery_soc_fract * 100, 0.01],
    [10, 'u16', (h) => h.battery_V, 0.1],
    [11, 'u16', chargeState],
    ...factors({ 18: 0, 19: 0, 20: 0, 21: -2, 22: -2, 23: 0, 24: -1, 25: -2 }),
  ]),
  settings: [
    ...registers('u16', { 5: 0, 7: 500, 14: 0, 15: 0, 16: 0, 17: 0 }),
    ...registers('i16', { 12: 10_000, 13: 10_000 }),
  ],
});

type Input = { name: string; W: Value; V: Value; Wh: Value };

/** DC inputs. */
export const inputs160 = (inputs: readonly Input[]): Model =>
  model(160, 8 + 20 * inputs.length, [
    ...factors({ 2: -2, 3: -1, 4: 0, 5: 0 }),
    ...zeros('u16', 6, 7, 9),
    [8, 'u16', inputs.length],
    ...inputs.flatMap(({ name, W, V, Wh }, index): Row[] => {
      const start = 10 + 20 * index;
      return [
        [start, 'u16', index + 1],
        [start + 1, 8, name],
        [start + 9, 'u16', (h) => (V(h) > 0 ? W(h) / V(h) : 0), 0.01],
        [start + 10, 'u16', V, 0.1],
        [start + 11, 'u16', W],
        [start + 12, 'u32', Wh],
        [start + 14, 'u32', 0],
        [start + 16, 'i16', undefined],
        [start + 17, 'u16', 4],
        [start + 18, 'u32', 0],
      ];
    }),
  ]);

export const pvInputs: readonly Input[] = [
  { name: 'String 1', W: (h) => h.strings[0].W, V: (h) => h.strings[0].V, Wh: (h) => h.Wh.generated / 2 },
  { name: 'String 2', W: (h) => h.strings[1].W, V: (h) => h.strings[1].V, Wh: (h) => h.Wh.generated / 2 },
];

export const batteryInputs: readonly Input[] = [
  { name: 'StCha', W: (h) => Math.max(0, h.battery_W), V: (h) => h.battery_V, Wh: (h) => h.Wh.charged },
  { name: 'StDisCha', W: (h) => Math.max(0, -h.battery_W), V: (h) => h.battery_V, Wh: (h) => h.Wh.discharged },
];

/** `sign` is -1 if the vendor counts export as positive. */
export const meter203 = (sign: 1 | -1): Model =>
  model(203, 105, [
    [2, 'i16', (h) => Math.abs(h.meter_W) / h.phases[0].V, 0.01],
    ...phases(3, 'i16', ({ A }) => sign * A, 0.01),
    [7, 'i16', (h) => h.phases[0].V, 0.1],
    ...phases(8, 'i16', 'V', 0.1),
    [16, 'i16', (h) => h.Hz, 0.01],
    [18, 'i16', (h) => sign * h.meter_W],
    ...phases(19, 'i16', ({ W }) => sign * W),
    ...none('i16', ...range(11, 14), ...range(23, 26), ...range(28, 31), ...range(33, 36)),
    ...counters('u32', 1, { exported: 38, imported: 46 }),
    ...zeros('u32', 40, 42, 44, 48, 50, 52, ...range(55, 69, 2), ...range(72, 102, 2), 105),
    ...factors({ 6: -2, 15: -1, 17: -2, 22: 0, 27: 0, 32: 0, 37: 0, 54: 0, 71: 0, 104: 0 }),
  ]);

export const meter213 = model(213, 124, [
  ...none('f32', ...range(2, 122, 2)),
  [2, 'f32', (h) => Math.abs(h.meter_W) / h.phases[0].V],
  ...phases(4, 'f32', 'A'),
  [10, 'f32', (h) => h.phases[0].V],
  ...phases(12, 'f32', 'V'),
  [26, 'f32', (h) => h.Hz],
  [28, 'f32', (h) => h.meter_W],
  ...phases(30, 'f32', 'W'),
  ...counters('f32', 1, { exported: 60, imported: 68 }),
  [124, 'u32', 0],
]);

/** + discharge. */
export const battery802 = (capacity_Wh: number, max_W: number): Model =>
  model(802, 62, [
    ...registers('u16', { 2: capacity_Wh / 400, 3: capacity_Wh, 4: max_W, 5: max_W, 7: 10_000, 8: 500, 13: 99 }),
    [11, 'u16', (h) => h.battery_soc_fract * 100, 0.01],
    [14, 'u32', 120],
    [16, 'u16', chargeState],
    ...registers('u16', { 21: 4, 22: 3 }), // lithium ion, connected
    ...zeros('u32', 24, 26, 28, 30, 32),
    [34, 'u16', (h) => h.battery_V, 0.1],
    [44, 'i16', (h) => -h.battery_W / h.battery_V, 0.1],
    [47, 'i16', (h) => -h.battery_W],
    [49, 'i16', undefined],
    ...factors({ 52: 0, 53: 0, 54: 0, 55: 0, 56: -2, 57: 0, 58: 0, 59: -1, 60: 0, 61: -1, 62: 0, 63: 0 }),
  ]);
