import type { Control, Row, Setting, Table } from '../bank.ts';

/** A SunSpec model; its rows and settings are relative to the register of its id. */
export type Model = { id: number; length: number; rows: readonly Row[]; settings?: readonly Setting[] };

const marker = 0x53756e53; // SunS
const end = 0xffff;

/** Chains models the way clients discover them. Unused registers of a model read "not implemented". */
export function chain(models: readonly Model[], base = 40_000) {
  const rows: Row[] = [[base, 'u32', marker]];
  const settings: Setting[] = [];
  const starts = new Map<number, number>();
  let start = base + 2;
  for (const model of models) {
    starts.set(model.id, start);
    rows.push([start, 'u16', model.id], [start + 1, 'u16', model.length]);
    for (const [offset, ...rest] of model.rows) rows.push([start + offset, ...rest]);
    for (const [offset, ...rest] of model.settings ?? []) settings.push([start + offset, ...rest]);
    start += 2 + model.length;
  }
  rows.push([start, 'u16', end], [start + 1, 'u16', 0]);
  return {
    table: { rows, areas: { [base]: start + 2 - base }, fill: 0xffff } satisfies Table,
    settings,
    at(id: number, offset: number): number {
      const start = starts.get(id);
      if (start === undefined) throw new Error(`The chain has no model ${id}.`);
      return start + offset;
    },
  };
}

type Ratings = { rated_W: number; battery_W: number };

const [chargeLimited, dischargeLimited] = [1, 2]; // bits of StorCtl_Mod

/** Models 123 and 124. A negative limit reverses the direction. The shorter of two timeouts applies to both. */
export function sunspecControl({ at }: ReturnType<typeof chain>, { rated_W, battery_W }: Ratings): () => Control {
  const [limitPercent, limitRevertS, limitSwitch] = [at(123, 5), at(123, 7), at(123, 9)];
  const [storageMode, outRate, inRate, rateRevertS] = [at(124, 5), at(124, 12), at(124, 13), at(124, 15)];
  return () => (settings) => {
    const mode = settings.get(storageMode);
    const rate_W = (address: number): number => Math.round((settings.get(address) / 10_000) * battery_W);
    const max_W = mode & chargeLimited ? rate_W(inRate) : battery_W;
    const min_W = mode & dischargeLimited ? -rate_W(outRate) : -battery_W;
    const isLimited = settings.get(limitSwitch) === 1;
    const seconds = [...(mode ? [settings.get(rateRevertS)] : []), ...(isLimited ? [settings.get(limitRevertS)] : [])];
    const shortest = Math.min(...seconds.filter((value) => value > 0));
    return {
      battery: mode ? { min_W: Math.min(min_W, max_W), max_W } : undefined,
      pvLimit_W: isLimited ? (settings.get(limitPercent) / 100) * rated_W : undefined,
      ...(Number.isFinite(shortest) && {
        expires: { afterMs: shortest * 1000, resets: { [storageMode]: 0, [limitSwitch]: 0 } },
      }),
    };
  };
}
