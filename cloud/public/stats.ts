import type { CellStats } from '#contract/cloud/public.ts';
import type { DerTypeId } from '#contract/der.ts';
import type { CountedDers } from '../store/cells.ts';
import type { CellSums } from './add-up.ts';
import type { RunningSum } from './running-sum.ts';

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
    avg_frequency_hz: meanOf(sums.hz),
    der_summary,
  };
}

function typeStats(type: DerTypeId, count: number, { types }: CellSums): CellStats['der_summary'][string] {
  const sums = types.get(type);
  const [imported, exported] = [sums?.importW.value ?? 0, sums?.exportW.value ?? 0];
  const soc = sums ? meanOf(sums.soc) : null;
  return {
    count,
    total_power_w: imported + exported,
    total_export_w: exported,
    total_import_w: imported,
    avg_soc_pct: soc === null ? null : soc * 100,
  };
}

const meanOf = ({ value, count }: RunningSum): number | null => (count > 0 ? value / count : null);
