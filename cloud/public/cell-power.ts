import type { DerTypeId } from '#contract/der.ts';
import type { TelemetryRoute } from '../store/telemetry-routes.ts';

type Reading = { at: number; type: DerTypeId; values: Record<string, unknown> };

export type TypeSums = { importW: number; exportW: number; socSum: number; socCount: number };

export type CellSums = { types: Map<DerTypeId, TypeSums>; hzSum: number; hzCount: number };

/** The newest reading of every DER by map cell, kept as they come, so that an answer looks at one cell only. */
export type CellPower = {
  note(route: TelemetryRoute, at: number, values: Record<string, unknown>): void;
  /** Sums over what was measured since. */
  sums(cell: string, since: number): CellSums;
  /** The devices of a gateway came, moved or went. */
  forget(serial: string): void;
};

export function createCellPower(): CellPower {
  const cells = new Map<string, Map<number, Reading>>();
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
      readings.set(no, { at, type: der_type, values });
    },

    sums: (cell, since) => addUp([...(cells.get(cell)?.values() ?? [])], since),

    forget(serial) {
      for (const [der, place] of places) if (place.serial === serial) drop(der);
    },
  };
}

export function addUp(readings: readonly Reading[], since: number): CellSums {
  const sums: CellSums = { types: new Map(), hzSum: 0, hzCount: 0 };
  for (const { at, type, values } of readings) {
    if (at < since) continue;
    const { W, Hz, SoC_nom_fract: soc } = values;
    let ofType = sums.types.get(type);
    if (!ofType) {
      ofType = { importW: 0, exportW: 0, socSum: 0, socCount: 0 };
      sums.types.set(type, ofType);
    }
    if (typeof W === 'number' && W > 0) ofType.importW += W;
    if (typeof W === 'number' && W < 0) ofType.exportW -= W;
    if (typeof soc === 'number' && type === 'battery') {
      ofType.socSum += soc;
      ofType.socCount++;
    }
    if (typeof Hz === 'number') {
      sums.hzSum += Hz;
      sums.hzCount++;
    }
  }
  return sums;
}
