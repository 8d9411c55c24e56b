import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { addUp, type CellSums, partOf, type ReadingPart } from './add-up.ts';

export type CellPower = ReturnType<typeof createCellPower>;

/** The newest reading of a DER, with its map cell and gateway. */
type Located = { no: number; cell: string; serial: string; part: ReadingPart };

const largeCell = 5000; // DERs; adding up fewer takes less than 0.2 ms
const cachedMs = 1000;

/** Holds the newest reading of every DER by map cell, so that sums need no query. */
export function createCellPower() {
  const all = new Map<number, Located>();
  const byCell = new Map<string, Set<Located>>();
  const byGateway = new Map<string, Set<Located>>();
  const cache = new Map<string, { since: number; sums: CellSums }>(); // of large cells

  function drop(der: Located): void {
    all.delete(der.no);
    for (const [sets, key] of [[byCell, der.cell] as const, [byGateway, der.serial] as const]) {
      sets.get(key)?.delete(der);
      if (sets.get(key)?.size === 0) sets.delete(key);
    }
  }

  return {
    /** Notes a reading; an older one than the known reading changes nothing. */
    note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void {
      const { no, cell, gateway_serial: serial } = route;
      const known = all.get(no);
      const isHere = known?.cell === cell;
      if (known && !isHere) drop(known);
      if (cell === null || (known && isHere && known.part.at > at)) return;
      const part = partOf(route, at, values);
      if (known && isHere) {
        known.part = part;
        return;
      }
      const der = { no, cell, serial, part };
      all.set(no, der);
      byCell.set(cell, (byCell.get(cell) ?? new Set()).add(der));
      byGateway.set(serial, (byGateway.get(serial) ?? new Set()).add(der));
    },

    /** Returns the sums of readings since a time. Those of a large cell may be a second old. */
    sums(cell: string, since: number): CellSums {
      const ders = byCell.get(cell) ?? new Set();
      if (ders.size < largeCell) return addUp(ders, since);
      const last = cache.get(cell);
      if (last && Math.abs(since - last.since) < cachedMs) return last.sums;
      const sums = addUp(ders, since);
      cache.set(cell, { since, sums });
      return sums;
    },

    /** Removes all other DERs of this gateway. */
    keepOnly(ders: ReadonlySet<number>, serial: string): void {
      for (const der of byGateway.get(serial) ?? []) if (!ders.has(der.no)) drop(der);
    },
  };
}
