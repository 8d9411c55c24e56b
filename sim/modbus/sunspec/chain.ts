import type { Row, Setting, Table } from '../bank.ts';

/** A SunSpec model: its rows and settings count from the register of its id. */
export type Model = { id: number; length: number; rows: readonly Row[]; settings?: readonly Setting[] };

export type Chain = {
  table: Table;
  settings: Setting[];
  /** where a point of a model is */
  at(id: number, offset: number): number;
};

const marker = 0x53756e53; // SunS
const end = 0xffff;

/** Models one behind the other, as clients discover them. What a model does not fill reads "not implemented". */
export function chain(models: readonly Model[], base = 40_000): Chain {
  const rows: Row[] = [[base, 'u32', marker]];
  const settings: Setting[] = [];
  const starts = new Map<number, number>();
  let start = base + 2;
  for (const model of models) {
    starts.set(model.id, start);
    rows.push([start, 'u16', model.id], [start + 1, 'u16', model.length]);
    for (const row of model.rows) rows.push([start + row[0], ...row.slice(1)] as unknown as Row);
    for (const [offset, ...rest] of model.settings ?? []) settings.push([start + offset, ...rest]);
    start += 2 + model.length;
  }
  rows.push([start, 'u16', end], [start + 1, 'u16', 0]);
  return {
    table: { rows, areas: [[base, start + 2 - base]], fill: 0xffff },
    settings,
    at: (id, offset) => starts.get(id)! + offset,
  };
}
