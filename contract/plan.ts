import { PlanSaying } from './plan-sentences.ts';
import { Nullable, NumberIn, OneOf, optional, type Static, Titled, Type } from './schema.ts';

// The form in which a planner is asked, and answers. Power is in W, energy in Wh, prices are per kWh.

export const planFormat = 'ohmstead-plan-1';
export const maxPlanSteps = 10_000;
export const maxPlanStorages = 16;

// Within these, all sums are exact enough for the solver.
const maxW = 1e9;
const maxPrice = 1e6;

const Price = (description?: string) => NumberIn(-maxPrice, maxPrice, description);
const Amount = (description?: string) => NumberIn(0, maxW, description);

const series = (description: string) =>
  Type.Array(Price(), { maxItems: maxPlanSteps, description: `${description}; one number per step` });
const positiveSeries = (description: string) =>
  Type.Array(Amount(), {
    maxItems: maxPlanSteps,
    description: `${description}; one number per step`,
  });
const flags = (description: string) =>
  Type.Array(Type.Boolean(), { maxItems: maxPlanSteps, description: `${description}; one per step` });

export const storageKinds = ['battery', 'car', 'tank'] as const;

const PlanStorage = Titled('PlanStorage', {
  id: Type.String({ minLength: 1, maxLength: 64 }),
  kind: OneOf(storageKinds),
  capacity_wh: Amount(),
  min_wh: Amount('lowest level'),
  max_wh: Amount('highest level'),
  start_wh: NumberIn(-maxW, maxW, 'level at the start'),
  charge_w: Amount('at its terminals on the side of the house'),
  discharge_w: Amount('at its terminals on the side of the house'),
  charge_efficiency: NumberIn(0.01, 1),
  discharge_efficiency: NumberIn(0.01, 1),
  ...optional({
    charge_min_w: Amount('it charges with 0 or at least this; less only in the step in which it becomes full'),
    loss_per_hour: NumberIn(0, 1, 'share of what is stored'),
    from_grid: Type.Boolean({ description: 'false: charges from surplus only' }),
    to_grid: Type.Boolean({ description: 'false: discharges for the house only' }),
    present: flags('a car that is away neither charges nor discharges'),
    use_wh: positiveSeries('energy that leaves it otherwise, such as driving'),
    goals: Type.Array(
      Type.Object({ step: Type.Integer({ minimum: 0 }), wh: Amount('at least this at the end of the step') }),
      { maxItems: maxPlanSteps },
    ),
    must_charge_w: positiveSeries('at least this while it is not full'),
    end_value_per_kwh: Price('worth of a stored kWh at the end'),
    wear_per_kwh: Amount('cost of a discharged kWh'),
  }),
});
export type PlanStorage = Static<typeof PlanStorage>;

const PeakFee = Titled('PeakFee', {
  period: OneOf(['month'], { description: 'in the time zone of the problem' }),
  window_s: Type.Integer({ minimum: 60, maximum: 86_400, description: 'a peak is the mean over an aligned window' }),
  count: Type.Integer({ minimum: 1, maximum: 1000, description: 'number of peaks whose mean is charged' }),
  one_per_day: Type.Boolean({ description: 'whether a day counts with its highest peak only' }),
  ...optional({
    counted: flags('steps that count'),
    weight: positiveSeries('a peak counts for so much'),
    peaks_so_far: Type.Array(
      Type.Object({
        day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'a day such as 2026-01-08' }),
        kw: Amount('with its weight'),
      }),
      { maxItems: maxPlanSteps },
    ),
    price_per_kw: Amount('price of a period; or tiers'),
    tiers: Type.Array(Type.Object({ up_to_kw: Amount(), fee: Price() }), { minItems: 1, maxItems: 100 }),
  }),
});
export type PeakFee = Static<typeof PeakFee>;

const site = {
  format: Type.Literal(planFormat),
  timezone: Type.String({ maxLength: 64, description: 'IANA name' }),
  solar_curtailable: Type.Boolean({ description: 'whether less may be used than is offered' }),
  grid: Type.Object(
    optional({
      import_limit_w: Amount(),
      export_limit_w: Amount(),
      over_import_price_per_kw: Amount(
        'the import limit may be exceeded at this price of the highest excess; without it, as little as possible',
      ),
    }),
  ),
  storages: Type.Array(PlanStorage, { maxItems: maxPlanStorages }),
  ...optional({ peak_fees: Type.Array(PeakFee, { maxItems: 16 }) }),
};

export const PlanProblem = Titled('PlanProblem', {
  ...site,
  start: Type.String({ maxLength: 40, description: 'start of the first step, RFC 3339' }),
  steps_s: Type.Array(NumberIn(1, 86_400), {
    minItems: 1,
    maxItems: maxPlanSteps,
    description: 'length of each step',
  }),
  import_price: series('per kWh taken from the grid'),
  export_price: series('per kWh given to the grid'),
  load_w: positiveSeries('mean power of everything that is not planned'),
  solar_w: positiveSeries('mean power that the sun offers'),
});
export type PlanProblem = Static<typeof PlanProblem>;

/** A problem whose steps are in a file of their own, to be replayed with the knowledge of each time. */
export const PlanReplayCase = Titled('PlanReplayCase', {
  ...site,
  replay: Type.Object({
    evaluate_from: Type.String({ format: 'date-time', description: 'steps before are only learned from' }),
    evaluate_to: Type.String({ format: 'date-time' }),
    ...optional({
      reacts: Type.Boolean({ description: 'load and sun of the current step are known, as a controller sees them' }),
    }),
  }),
});
export type PlanReplayCase = Static<typeof PlanReplayCase>;

export const reasonCodes = [
  'charge_cheap',
  'charge_sun',
  'charge_goal',
  'charge_peak',
  'charge_stored',
  'discharge_dear',
  'discharge_peak',
  'discharge_sell',
  'hold',
  'wait',
  'none',
] as const;

export const PlanReason = Titled('PlanReason', {
  code: OneOf(reasonCodes),
  text: Type.String({ description: 'in English' }),
  says: Type.Optional(PlanSaying), // plans that were stored by an earlier version have none
});

export type PlanReason = Static<typeof PlanReason>;

export const StorageStep = Titled('PlanStorageStep', {
  charge_w: Type.Number(),
  discharge_w: Type.Number(),
  wh: Type.Number({ description: 'level at the end of the step' }),
  reason: Type.Optional(PlanReason), // of what it does or waits for
});

const PlanStep = Titled('PlanStep', {
  grid_w: Type.Number({ description: 'import positive' }),
  solar_used_w: Type.Number(),
  storages: Type.Record(Type.String(), StorageStep, {
    description: 'each with the reason for what it does or waits for; without one, nothing is gained by it',
  }),
  reason: PlanReason, // that of the storage with the highest power
});
export type PlanStep = Static<typeof PlanStep>;

const PlanCost = Titled('PlanCost', {
  energy: Type.Number(),
  peaks: Type.Number({ description: 'fees with the plan minus what is already due' }),
  wear: Type.Number(),
  over_import: Type.Number(),
  end_value: Type.Number({ description: 'of what is stored at the end, compared with the start' }),
  total: Type.Number({ description: 'energy + peaks + wear + over_import - end_value' }),
});
export type PlanCost = Static<typeof PlanCost>;

const PlanMiss = Titled('PlanMiss', {
  what: OneOf(['storage_limit', 'import_limit', 'export_limit', 'goal', 'must_charge']),
  storage: Nullable(Type.String()),
  wh: Type.Number({ description: 'sum over the steps' }),
});
export type PlanMiss = Static<typeof PlanMiss>;

export const PlanAnswer = Titled('PlanAnswer', {
  status: OneOf(['optimal', 'time_limit'], { description: 'time_limit: the best plan that was found in time' }),
  gap: Type.Number({ description: 'how far the cost may be above the best, as a share' }),
  ms: Type.Number(),
  steps: Type.Array(PlanStep),
  cost: PlanCost,
  relaxed: Type.Array(PlanMiss, { description: 'rules that could not be kept, and by how much' }),
});
export type PlanAnswer = Static<typeof PlanAnswer>;
