import { quarterMs } from '#contract/cloud/energy.ts';
import type { SiteQuarters } from '../energy/report.ts';
import type { BillBody } from './bill-calculator.ts';

/** Energy imported from and exported to the grid, in Wh by the quarter of an hour. */
export type GridFlow = { from: number; imported: ArrayLike<number>; exported: ArrayLike<number> };

export const actualFlow = ({ from, series }: SiteQuarters): GridFlow => ({
  from,
  imported: series.import,
  exported: series.export,
});

/**
 * Replays the quarters without the energy that something delivered, or with the energy that it took (negative). The house
 * then exports less and imports the rest, or imports less and exports the rest. Quarters in which it did nothing stay as
 * they were, also if energy flowed in both directions.
 */
function replay({ from, series }: SiteQuarters, deliveredIn: (i: number) => number): GridFlow {
  const [imported, exported] = [series.import.slice(), series.export.slice()];
  for (let i = 0; i < imported.length; i++) {
    const delivered = deliveredIn(i);
    const [to, out] = delivered > 0 ? [imported, exported] : [exported, imported];
    const left = Math.abs(delivered) - out[i]!;
    out[i] = Math.max(0, -left);
    to[i]! += Math.max(0, left);
  }
  return { from, imported, exported };
}

export const flowWithoutBattery = (quarters: SiteQuarters): GridFlow =>
  replay(quarters, (i) => quarters.series.battery_discharge[i]! - quarters.series.battery_charge[i]!);

export const flowWithoutSolar = (quarters: SiteQuarters): GridFlow =>
  replay(quarters, (i) => quarters.series.solar[i]!);

/** Returns the quarters from an instant on. */
export function quartersFrom(quarters: SiteQuarters, from: number): SiteQuarters {
  const skipped = (from - quarters.from) / quarterMs;
  const cut = (values: Float64Array): Float64Array => values.subarray(skipped);
  const { import: imported, export: exported, ...others } = quarters.series;
  return {
    from,
    to: quarters.to,
    series: {
      import: cut(imported),
      export: cut(exported),
      solar: cut(others.solar),
      battery_charge: cut(others.battery_charge),
      battery_discharge: cut(others.battery_discharge),
      car_charge: cut(others.car_charge),
      car_discharge: cut(others.car_discharge),
      load: cut(others.load),
    },
    estimated: cut(quarters.estimated),
    coveredS: cut(quarters.coveredS),
  };
}

/** Converts a flow to the intervals of a load curve. */
export function intervalsOf({ from, imported, exported }: GridFlow): BillBody['intervals'] {
  return Array.from({ length: imported.length }, (_, i) => {
    const start = from + i * quarterMs;
    return { start, end: start + quarterMs, import_kwh: imported[i]! / 1000, export_kwh: exported[i]! / 1000 };
  });
}

export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
