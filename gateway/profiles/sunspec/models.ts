import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { NumberType, Point, PointOptions } from '../map/point.ts';
import { wordsOf } from '../map/words.ts';

/** A model of the chain: the address of its id, and the number of registers after its header. */
export type Model = { id: number; table: RegisterTable; address: number; length: number };

/** Offsets from the id of the model: of the value, and of its scale factor. */
type LayoutEntry = readonly [type: NumberType | 'acc32', offset: number, scaleFactor?: number];

export type Layout = Readonly<Record<string, LayoutEntry>>;

const inverter: Layout = {
  W: ['i16', 14, 15],
  Hz: ['u16', 16, 17],
  WH: ['acc32', 24, 26],
  DCW: ['i16', 31, 32],
  TmpSnk: ['i16', 34, 37],
};

const floats = (offsets: Readonly<Record<string, number>>): Layout =>
  Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, ['f32', offset]]));

const inverterFloat = floats({ W: 22, Hz: 24, WH: 32, DCW: 38, TmpSnk: 42 });

/** The same value of phases A, B and C. */
const phases = (name: string, [A, B, C]: readonly [number, number, number], scaleFactor: number): Layout => ({
  [`${name}A`]: ['i16', A, scaleFactor],
  [`${name}B`]: ['i16', B, scaleFactor],
  [`${name}C`]: ['i16', C, scaleFactor],
});

const meter: Layout = {
  ...phases('Aph', [3, 4, 5], 6),
  ...phases('PhVph', [8, 9, 10], 15),
  Hz: ['i16', 16, 17],
  W: ['i16', 18, 22],
  ...phases('Wph', [19, 20, 21], 22),
  TotWhExp: ['acc32', 38, 54],
  TotWhImp: ['acc32', 46, 54],
};

const meterFloat: Layout = {
  ...floats({ AphA: 4, AphB: 6, AphC: 8, PhVphA: 12, PhVphB: 14, PhVphC: 16 }),
  ...floats({ Hz: 26, W: 28, WphA: 30, WphB: 32, WphC: 34, TotWhExp: 60, TotWhImp: 68 }),
};

const measuredAc: Layout = {
  W: ['i16', 10, 116],
  Hz: ['u32', 17, 115],
  WH: ['u64', 19, 120],
  TmpSnk: ['i16', 37, 122],
};

/** Layouts of ratings and batteries, by model. */
export const layouts = {
  120: { WRtg: ['u16', 3, 4], WHRtg: ['u16', 19, 20] },
  121: { WMax: ['u16', 2, 22] },
  124: { WChaMax: ['u16', 2, 18], ChaState: ['u16', 8, 22], InBatV: ['u16', 10, 24] },
  702: { WMaxRtg: ['u16', 2, 45], WChaRteMaxRtg: ['u16', 10, 45] },
  713: { WHRtg: ['u16', 2, 7], SoC: ['u16', 4, 8] },
  802: {
    WHRtg: ['u16', 3, 53],
    WDisChaRteMax: ['u16', 5, 54],
    SoC: ['u16', 11, 56],
    V: ['u16', 34, 59],
    A: ['i16', 44, 61],
    W: ['i16', 47, 63],
  },
} satisfies Record<number, Layout>;

/** The nth tracker of model 160. Each takes 20 registers; the scale factors are shared. */
export const tracker = (index: number): Layout => ({
  A: ['u16', 19 + 20 * index, 2],
  V: ['u16', 20 + 20 * index, 3],
  W: ['u16', 21 + 20 * index, 4],
});

/** The nth port of model 714. Each takes 25 registers; the scale factors are shared. */
export const port = (index: number): Layout => ({
  A: ['i16', 30 + 25 * index, 15],
  V: ['u16', 31 + 25 * index, 16],
  W: ['i16', 32 + 25 * index, 17],
  WhInj: ['u64', 33 + 25 * index, 18],
  WhAbs: ['u64', 37 + 25 * index, 18],
});

const sharedBy = (ids: readonly number[], layout: Layout): Record<number, Layout> =>
  Object.fromEntries(ids.map((id) => [id, layout]));

export const inverterLayouts: Readonly<Record<number, Layout>> = {
  ...sharedBy([101, 102, 103], inverter),
  ...sharedBy([111, 112, 113], inverterFloat),
  701: measuredAc,
};

export const meterLayouts: Readonly<Record<number, Layout>> = {
  ...sharedBy([201, 202, 203, 204], meter),
  ...sharedBy([211, 212, 213, 214], meterFloat),
};

/** Returns a point of a model; undefined if the model is too short for it. */
export function pointAt(model: Model, entry: LayoutEntry | undefined, options: PointOptions = {}): Point | undefined {
  if (!entry) return undefined;
  const [kind, offset, scaleFactor] = entry;
  const type = kind === 'acc32' ? 'u32' : kind;
  const last = Math.max(offset + wordsOf[type], (scaleFactor ?? 0) + 1);
  if (last > model.length + 2) return undefined;
  return {
    kind: 'point',
    table: model.table,
    type,
    address: model.address + offset,
    ...(scaleFactor !== undefined && { exponent: model.address + scaleFactor }),
    ...(kind === 'acc32' && { absent: [0] }), // a missing accumulator reads zero
    ...options,
  };
}
