import type { RegisterTable } from '../../links/modbus/unit.ts';
import type { NumberType, Point, PointOptions } from '../map/point.ts';
import { wordsOf } from '../map/words.ts';

/** A model of the chain: the address of its id, and the number of registers after its header. */
export type Model = { id: number; table: RegisterTable; address: number; length: number };

/** Offsets from the id of the model: of the value, and of its scale factor. */
type LayoutEntry = readonly [type: NumberType | 'acc32', offset: number, scaleFactor?: number];

export type Layout = Readonly<Record<string, LayoutEntry>>;

const inverter = {
  W: ['i16', 14, 15],
  Hz: ['u16', 16, 17],
  WH: ['acc32', 24, 26],
  DCW: ['i16', 31, 32],
  TmpSnk: ['i16', 34, 37],
} satisfies Layout;

const inverterFloat = {
  W: ['f32', 22],
  Hz: ['f32', 24],
  WH: ['f32', 32],
  DCW: ['f32', 38],
  TmpSnk: ['f32', 42],
} satisfies Layout;

const meter = {
  AphA: ['i16', 3, 6],
  AphB: ['i16', 4, 6],
  AphC: ['i16', 5, 6],
  PhVphA: ['i16', 8, 15],
  PhVphB: ['i16', 9, 15],
  PhVphC: ['i16', 10, 15],
  Hz: ['i16', 16, 17],
  W: ['i16', 18, 22],
  WphA: ['i16', 19, 22],
  WphB: ['i16', 20, 22],
  WphC: ['i16', 21, 22],
  TotWhExp: ['acc32', 38, 54],
  TotWhImp: ['acc32', 46, 54],
} satisfies Layout;

const meterFloat = {
  AphA: ['f32', 4],
  AphB: ['f32', 6],
  AphC: ['f32', 8],
  PhVphA: ['f32', 12],
  PhVphB: ['f32', 14],
  PhVphC: ['f32', 16],
  Hz: ['f32', 26],
  W: ['f32', 28],
  WphA: ['f32', 30],
  WphB: ['f32', 32],
  WphC: ['f32', 34],
  TotWhExp: ['f32', 60],
  TotWhImp: ['f32', 68],
} satisfies Layout;

export const nameplate = { WRtg: ['u16', 3, 4], WHRtg: ['u16', 19, 20] } satisfies Layout;
export const settings = { WMax: ['u16', 2, 22] } satisfies Layout;
export const storage = { WChaMax: ['u16', 2, 18], ChaState: ['u16', 8, 22], InBatV: ['u16', 10, 24] } satisfies Layout;

export const battery = {
  WHRtg: ['u16', 3, 53],
  WDisChaRteMax: ['u16', 5, 54],
  SoC: ['u16', 11, 56],
  V: ['u16', 34, 59],
  A: ['i16', 44, 61],
  W: ['i16', 47, 63],
} satisfies Layout;

const measuredAc = {
  W: ['i16', 10, 116],
  Hz: ['u32', 17, 115],
  WH: ['u64', 19, 120],
  TmpSnk: ['i16', 37, 122],
} satisfies Layout;
export const capacity = { WMaxRtg: ['u16', 2, 45], WChaRteMaxRtg: ['u16', 10, 45] } satisfies Layout;
export const storageCapacity = { WHRtg: ['u16', 2, 7], SoC: ['u16', 4, 8] } satisfies Layout;

/** The nth tracker of model 160. Each takes 20 registers; the scale factors are shared. */
export const tracker = (index: number) =>
  ({
    A: ['u16', 19 + 20 * index, 2],
    V: ['u16', 20 + 20 * index, 3],
    W: ['u16', 21 + 20 * index, 4],
  }) satisfies Layout;

/** The nth port of model 714. Each takes 25 registers; the scale factors are shared. */
export const port = (index: number) =>
  ({
    A: ['i16', 30 + 25 * index, 15],
    V: ['u16', 31 + 25 * index, 16],
    W: ['i16', 32 + 25 * index, 17],
    WhInj: ['u64', 33 + 25 * index, 18],
    WhAbs: ['u64', 37 + 25 * index, 18],
  }) satisfies Layout;

export const inverterLayouts: Readonly<Record<number, Layout>> = {
  701: measuredAc,
  101: inverter,
  102: inverter,
  103: inverter,
  111: inverterFloat,
  112: inverterFloat,
  113: inverterFloat,
};

export const meterLayouts: Readonly<Record<number, Layout>> = {
  201: meter,
  202: meter,
  203: meter,
  204: meter,
  211: meterFloat,
  212: meterFloat,
  213: meterFloat,
  214: meterFloat,
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
