import type { TelemetryRoute } from '../store/telemetry-routes.ts';
import { type CellSums, emptySums, partOf } from './add-up.ts';
import { RecentCell } from './recent-cell.ts';

export type { CellSums } from './add-up.ts';

/** The newest reading of every DER by map cell, added up as they come, so that an answer adds nothing up. */
export type CellPower = {
  note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  /** Sums over what was measured since. */
  sums(cell: string, since: number): CellSums;
  /** Whatever else was heard of this gateway is gone. */
  keepOnly(ders: ReadonlySet<number>, serial: string): void;
};

type Place = { index: string; cell: RecentCell; serial: string };

export function createCellPower(): CellPower {
  const cells = new Map<string, RecentCell>();
  const places = new Map<number, Place>();
  const dersOf = new Map<string, Set<number>>(); // by the serial of their gateway

  function place(der: number, index: string, serial: string): RecentCell {
    const cell = cells.get(index) ?? new RecentCell();
    cells.set(index, cell);
    places.set(der, { index, cell, serial });
    const ders = dersOf.get(serial) ?? new Set();
    dersOf.set(serial, ders.add(der));
    return cell;
  }

  function drop(der: number, { index, cell, serial }: Place): void {
    places.delete(der);
    cell.drop(der);
    if (cell.isEmpty) cells.delete(index);
    const ders = dersOf.get(serial)!;
    ders.delete(der);
    if (ders.size === 0) dersOf.delete(serial);
  }

  return {
    note(route, at, values) {
      const { no, cell: index, gateway_serial } = route;
      const known = places.get(no);
      const isHere = known?.index === index;
      if (known && !isHere) drop(no, known);
      if (index === null) return;
      const cell = known && isHere ? known.cell : place(no, index, gateway_serial);
      cell.hear(no, partOf(route, at, values));
    },

    sums: (cell, since) => cells.get(cell)?.sums(since) ?? emptySums(),

    keepOnly(ders, serial) {
      for (const der of dersOf.get(serial) ?? []) if (!ders.has(der)) drop(der, places.get(der)!);
    },
  };
}
