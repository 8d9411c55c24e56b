import type { DerTypeId } from '#contract/der.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';

/** The numbers of a reading that are added up. */
export type Part = {
  at: number;
  type: DerTypeId;
  W: number | undefined;
  Hz: number | undefined;
  soc: number | undefined;
};

export type TypeSums = { importW: number; exportW: number; socSum: number; socCount: number };

export type CellSums = {
  types: Map<DerTypeId, TypeSums>;
  hzSum: number;
  hzCount: number;
  /** readings that were looked at */
  looked: number;
};

/** The newest reading of every DER by map cell, kept as they come, so that an answer looks at one cell only. */
export type CellPower = {
  note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  /** Sums over what was measured since. */
  sums(cell: string, since: number): CellSums;
  /** The devices of a gateway came, moved or went. */
  forget(serial: string): void;
};

export function createCellPower(): CellPower {
  const cells = new Map<string, Map<number, Part>>();
  const places = new Map<number, { cell: string; serial: string }>();

  function drop(der: number): void {
    const cell = places.get(der)?.cell;
    if (cell === undefined) return;
    places.delete(der);
    const readings = cells.get(cell);
    readings?.delete(der);
    if (readings?.size === 0) cells.delete(cell);
  }

  return {
    note({ no, cell, der_type, gateway_serial }, at, values) {
      if (places.get(no)?.cell !== cell) drop(no);
      if (cell === null) return;
      if (!places.has(no)) places.set(no, { cell, serial: gateway_serial });
      let readings = cells.get(cell);
      if (!readings) {
        readings = new Map();
        cells.set(cell, readings);
      }
      const known = readings.get(no);
      if (!known || known.at <= at) readings.set(no, partOf(der_type, at, values));
    },

    sums: (cell, since) => addUp(cells.get(cell)?.values() ?? [], since),

    forget(serial) {
      for (const [der, place] of places) if (place.serial === serial) drop(der);
    },
  };
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const partOf = (type: DerTypeId, at: number, { W, Hz, SoC_nom_fract }: Record<string, unknown>): Part => ({
  at,
  type,
  W: number(W),
  Hz: number(Hz),
  soc: number(SoC_nom_fract),
});

export function addUp(parts: Iterable<Part>, since: number): CellSums {
  const sums: CellSums = { types: new Map(), hzSum: 0, hzCount: 0, looked: 0 };
  for (const { at, type, W, Hz, soc } of parts) {
    sums.looked++;
    if (at < since) continue;
    let ofType = sums.types.get(type);
    if (!ofType) {
      ofType = { importW: 0, exportW: 0, socSum: 0, socCount: 0 };
      sums.types.set(type, ofType);
    }
    if (W !== undefined && W > 0) ofType.importW += W;
    if (W !== undefined && W < 0) ofType.exportW -= W;
    if (soc !== undefined && type === 'battery') {
      ofType.socSum += soc;
      ofType.socCount++;
    }
    if (Hz !== undefined) {
      sums.hzSum += Hz;
      sums.hzCount++;
    }
  }
  return sums;
}
