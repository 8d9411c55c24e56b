import type { CellStats } from '#contract/cloud/public.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { CountedDers } from '../store/cells.ts';
import type { CellSums } from './cell-power.ts';

/** A cell's numbers as everybody may see them: counts of all DERs, sums of those heard lately. */
export function cellStats(
  h3_index: string,
  site_count: number,
  counts: readonly CountedDers[],
  sums: CellSums,
): CellStats {
  const der_summary = Object.fromEntries(
    counts.map(({ der_type, der_count }) => [der_type, typeStats(der_type, der_count, sums)]),
  );
  const types = Object.values(der_summary);
  return {
    h3_index,
    site_count,
    der_count: types.reduce((sum, { count }) => sum + count, 0),
    total_power_w: types.reduce((sum, { total_power_w }) => sum + total_power_w, 0),
    avg_frequency_hz: sums.hzCount > 0 ? sums.hzSum / sums.hzCount : null,
    der_summary,
  };
}

function typeStats(type: DerTypeId, count: number, { types }: CellSums): CellStats['der_summary'][string] {
  const { importW = 0, exportW = 0, socSum = 0, socCount = 0 } = types.get(type) ?? {};
  return {
    count,
    total_power_w: importW + exportW,
    total_export_w: exportW,
    total_import_w: importW,
    avg_soc_pct: socCount > 0 ? (socSum / socCount) * 100 : null,
  };
}
