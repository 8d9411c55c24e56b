import { quarterMs } from '#contract/cloud/energy.ts';
import { type PlanProblem, type PlanStorage, planFormat } from '#contract/plan.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import { quartersFrom } from '../bill/quarters.ts';
import type { SiteQuarters } from '../energy/report.ts';

/** Returns the quarters in a range. */
export function cut(quarters: SiteQuarters, from: number, to: number): SiteQuarters {
  const after = quartersFrom(quarters, from);
  const length = (to - from) / quarterMs;
  const part = (values: Float64Array): Float64Array => values.subarray(0, length);
  const series = Object.fromEntries(Object.entries(after.series).map(([name, values]) => [name, part(values)]));
  return {
    from,
    to,
    series: series as SiteQuarters['series'],
    estimated: part(after.estimated),
    coveredS: part(after.coveredS),
  };
}

/** Describes measured quarters as a problem, to replay them with other batteries; cars charge as they did. */
export function houseOf(
  { from, series }: SiteQuarters,
  storages: readonly PlanStorage[],
  timeZone: string,
  prices?: Pick<PlanProblem, 'import_price' | 'export_price'>,
): PlanProblem {
  const none = Array.from(series.import, () => 0);
  const w = (wh: number): number => (wh * hourMs) / quarterMs;
  return {
    format: planFormat,
    start: formatTime(from),
    timezone: timeZone,
    steps_s: none.map(() => quarterMs / 1000),
    import_price: none,
    export_price: none,
    ...prices,
    load_w: none.map((_, i) => Math.max(0, w(series.load[i]! + series.car_charge[i]! - series.car_discharge[i]!))),
    solar_w: Array.from(series.solar, w),
    solar_curtailable: false,
    grid: {},
    storages: [...storages],
  };
}
