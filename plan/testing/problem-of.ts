import { type PlanProblem, type PlanStorage, planFormat } from '#contract/plan.ts';

/** A battery of 10 kWh without losses or wear. */
export const battery: PlanStorage = {
  id: 'battery',
  kind: 'battery',
  capacity_wh: 10_000,
  min_wh: 0,
  max_wh: 10_000,
  start_wh: 0,
  charge_w: 5000,
  discharge_w: 5000,
  charge_efficiency: 1,
  discharge_efficiency: 1,
};

/** A problem of whole hours on a winter day in Stockholm, which is sold nothing for. */
export const problemOf = (prices: readonly number[], more: Partial<PlanProblem> = {}): PlanProblem => ({
  format: planFormat,
  start: '2026-01-15T00:00:00+01:00',
  timezone: 'Europe/Stockholm',
  steps_s: prices.map(() => 3600),
  import_price: [...prices],
  export_price: prices.map(() => 0),
  load_w: prices.map(() => 1000),
  solar_w: prices.map(() => 0),
  solar_curtailable: true,
  grid: {},
  storages: [battery],
  ...more,
});
