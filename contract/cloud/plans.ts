import { may } from '../access.ts';
import { PlanProgress } from '../gateway-plan.ts';
import { PlanAnswer, PlanReason, StorageStep, storageKinds } from '../plan.ts';
import { PlanSaying } from '../plan-sentences.ts';
import { routesOf } from '../route.ts';
import {
  IntegerIn,
  Nullable,
  NumberIn,
  OneOf,
  optional,
  type Static,
  Text,
  Timestamp,
  Titled,
  Type,
} from '../schema.ts';

const api = routesOf({ tag: 'Plans', problems: ['conflict', 'unprocessable', 'unavailable'] });
const read = { access: may('read', 'site', 'params.site_id'), scope: 'read:telemetry' } as const;

export const planModes = ['off', 'show', 'control'] as const;
export type PlanMode = (typeof planModes)[number];

const percent = (description: string) => NumberIn(0, 100, description);
const watts = (description: string) => NumberIn(0, 1e7, description);

/** Departures of all cars of a site together. */
export const maxCarGoals = 16;

const CarGoal = Type.Object({
  der_id: Text(128),
  target_pct: percent('state of charge to reach'),
  by: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'local time of departure, HH:MM' }),
  days: Type.Array(IntegerIn(1, 7, '1 is Monday'), { minItems: 1, maxItems: 7 }),
});

const StorageFacts = Type.Object({
  der_id: Text(128),
  ...optional({
    capacity_wh: NumberIn(1, 1e7, 'usable capacity, if the device does not report it'),
    charge_w: watts('highest power of charging'),
    discharge_w: watts('highest power of discharging'),
    charge_min_w: watts('lowest power of charging; a car charges with nothing or at least this'),
    energy_needed_wh: watts('of a car that reports no state of charge: energy of an average day'),
  }),
});

const goals = {
  mode: OneOf(planModes, {
    description: 'off: no plan; show: a plan that is not carried out; control: the gateway follows it',
  }),
  paused_until: Nullable(Type.String({ format: 'date-time', description: 'devices are in automatic mode until then' })),
  reserve_pct: percent('kept in batteries for outages'),
  max_import_w: Nullable(watts('stay below this')),
  export_at_negative_price: Type.Boolean({ description: 'false: curtails the sun where that is possible' }),
  battery_for_car: Type.Boolean({ description: 'false: batteries do not charge cars' }),
  battery_to_grid: Type.Boolean({ description: 'whether batteries may sell energy to the grid' }),
  cars: Type.Array(CarGoal, { maxItems: maxCarGoals }),
  storages: Type.Array(StorageFacts, { maxItems: 16, description: 'what the devices do not report' }),
};

export const PlanGoals = Titled('PlanGoals', { site_id: Type.String(), ...goals });
export type PlanGoals = Static<typeof PlanGoals>;

export const defaultPlanGoals: Omit<PlanGoals, 'site_id'> = {
  mode: 'off',
  paused_until: null,
  reserve_pct: 10,
  max_import_w: null,
  export_at_negative_price: false,
  battery_for_car: false,
  battery_to_grid: false,
  cars: [],
  storages: [],
};

export const getPlanGoals = api.get('/sites/{site_id}/plan/goals', 'Get the goals of plans', {
  ...read,
  replies: { 200: PlanGoals },
  conditional: true,
});

const GoalChanges = Type.Partial(Type.Object(goals));
export type GoalChanges = Static<typeof GoalChanges>;

export const updatePlanGoals = api.put('/sites/{site_id}/plan/goals', 'Set the goals of plans', {
  description: 'Fields that are left out keep their value. A new plan follows within seconds.',
  access: may('control', 'site', 'params.site_id'),
  scope: 'control:ders',
  resource: getPlanGoals,
  body: GoalChanges,
  replies: { 200: PlanGoals },
});

const Step = Titled('SitePlanStep', {
  start: Timestamp,
  end: Timestamp,
  import_price: Type.Number({ description: 'total price of a kWh from the grid, without power charges' }),
  export_price: Type.Number(),
  is_price_assumed: Type.Boolean({ description: 'the market has not published the price' }),
  load_w: Type.Number({ description: 'forecast of what the house uses by itself' }),
  load_low_w: Type.Number({ description: 'lower end of the 80 % band' }),
  load_high_w: Type.Number(),
  solar_w: Type.Number({ description: 'forecast' }),
  solar_low_w: Type.Number(),
  solar_high_w: Type.Number(),
  solar_used_w: Type.Number({ description: 'less than solar_w where the plan curtails' }),
  grid_w: Type.Number({ description: 'import positive' }),
  storages: Type.Record(Type.String(), StorageStep, {
    description: 'by DER id, each with the reason for what it does or waits for; `reason` is that of the highest power',
  }),
  reason: PlanReason,
});
export type SitePlanStep = Static<typeof Step>;

const Storage = Titled('SitePlanStorage', {
  der_id: Type.String(),
  name: Type.String(),
  kind: OneOf(storageKinds),
  capacity_wh: Type.Number(),
  start_wh: Type.Number({ description: 'level when the plan was made' }),
});

const money = (description: string) => Type.Number({ description });

const Known = Type.Unsafe<PlanSaying | null>({ anyOf: [PlanSaying, { type: 'null' }] });

const Says = Type.Object(
  {
    because: Known,
    sentence: Type.Array(PlanSaying, { description: 'its clauses; the first is the main one' }),
    assumed: Type.Array(Known, {
      description: 'as many as in `assumed`; null where other services wrote the sentence',
    }),
    not_planned: Type.Optional(Type.Array(PlanSaying)),
  },
  { description: 'the English sentences of the plan with their values, to say them in other languages' },
);

export const planStatuses = ['off', 'paused', 'waiting', 'current', 'failed'] as const;

export const SitePlan = Titled('SitePlan', {
  site_id: Type.String(),
  status: OneOf(planStatuses, { description: 'waiting: something is missing, see message' }),
  mode: OneOf(planModes),
  message: Nullable(Type.String({ description: 'the missing parts, one in each line, or why planning failed' })),
  plan: Nullable(
    Titled('SitePlanBody', {
      id: Type.String(),
      made_at: Timestamp,
      because: Type.String({ description: 'what led to this plan, such as new prices' }),
      currency: Type.String(),
      is_price_simulated: Type.Boolean(),
      steps: Type.Array(Step),
      storages: Type.Array(Storage),
      cost: PlanAnswer.properties.cost,
      self_consumption_cost: Nullable(
        money('of the same time if batteries only covered the house and cars charged at once; null if saves is'),
      ),
      saves: Nullable(
        money('self_consumption_cost - cost.total; null while the house was measured for less than a day'),
      ),
      sentence: Type.String({ description: 'what the plan saves, and where from, or why that is not known' }),
      peaks: Type.Array(Type.Object({ day: Type.String(), kw: Type.Number() }), {
        description: 'the peaks of the month that count so far',
      }),
      planned_peak_kw: Nullable(Type.Number({ description: 'highest counted import of the plan' })),
      relaxed: PlanAnswer.properties.relaxed,
      assumed: Type.Array(Type.String(), { description: 'what the plan assumes, one sentence each' }),
      not_planned: Type.Optional(
        Type.Array(Type.String(), { description: 'which devices are not planned and why, one sentence each' }),
      ),
      says: Type.Optional(Says), // plans that were stored by an earlier version have none
    }),
  ),
  progress: Nullable(PlanProgress),
  gateways: Type.Optional(
    Type.Array(Type.Object({ gateway_serial: Type.String(), progress: Nullable(PlanProgress) }), {
      description: 'those that carry out the plan; progress is null until they report, and above that of one of them',
    }),
  ),
});
export type SitePlan = Static<typeof SitePlan>;

/** Returns how gateways get on with the plan, by serial if there are several; progress is null while one should report. */
export function reportsOf({ status, mode, plan, progress, gateways = [] }: SitePlan): PlanReport[] {
  const isAwaited = mode === 'control' && status === 'current' && plan !== null && plan.storages.length > 0;
  const reports: PlanReport[] = gateways.length > 1 ? gateways : [{ progress }];
  return reports.filter((each) => each.progress !== null || isAwaited);
}
export type PlanReport = { gateway_serial?: string; progress: PlanProgress | null };

export const getSitePlan = api.get('/sites/{site_id}/plan', 'Get the current plan of a site', {
  description: 'Quarters of an hour for 48 hours, then hours to the end of the billing month that these reach.',
  ...read,
  replies: { 200: SitePlan },
});

export const previewPlan = api.post('/sites/{site_id}/plan/preview', 'Calculate what other goals would cost', {
  description: 'Plans once with the changed goals, and changes nothing.',
  ...read,
  readOnly: true,
  budget: 'control',
  body: GoalChanges,
  replies: {
    200: Titled('PlanPreview', {
      plan: SitePlan,
      cost: money('expected, of the plan with the changed goals'),
      current_cost: money('expected, of the same time with the current goals'),
      difference: money('cost - current_cost'),
    }),
  },
});

const monthPower = (description: string) =>
  Nullable(
    Type.Object(
      {
        promised: Nullable(money('with the energy of the last day as the first plan of that day expected it')),
        realised: money('with the measured energy'),
        self_consumption: Nullable(money('if batteries had only covered the house since the first plan of the month')),
      },
      { description: `${description}, as a bill calculates it: with VAT, for the whole month` },
    ),
  );

const Day = Titled('PlanDay', {
  date: Type.String({ format: 'date', description: 'local day' }),
  plans: Type.Integer({ description: 'number of plans that were made' }),
  promised: Nullable(money('cost of the energy of the day according to the first plan of the day')),
  realised: Nullable(money('cost of the energy of the day')),
  self_consumption: Nullable(money('what its energy would have cost if batteries only covered the house')),
  saved: Nullable(money('self_consumption - realised')),
  power: monthPower('power charge of the month with the peaks until the end of the day'),
  load_error_w: Nullable(Type.Number({ description: 'mean absolute error of the load forecast' })),
  solar_error_w: Nullable(Type.Number({ description: 'mean absolute error of the sun forecast' })),
  price_error: Nullable(Type.Number({ description: 'mean absolute error of assumed prices, per kWh' })),
});

export const PlanHistory = Titled('PlanHistory', {
  site_id: Type.String(),
  currency: Nullable(Type.String()),
  days: Type.Array(Day, { description: 'newest first' }),
  month: Type.Object(
    {
      saved: Nullable(money('saved_energy, and power.self_consumption - power.realised where they are known')),
      saved_energy: Nullable(money('sum of what the days of this month saved')),
      power: monthPower('power charge of this month so far, until the last day that is compared'),
      days: Type.Integer({ description: 'number of days that are compared' }),
    },
    { description: 'realised in this month until now' },
  ),
});
export type PlanHistory = Static<typeof PlanHistory>;

export const getPlanHistory = api.get(
  '/sites/{site_id}/plan/history',
  'Compare what plans promised with what happened',
  {
    ...read,
    query: Type.Object(
      optional({
        from: Type.String({
          pattern: '^[12]\\d{3}-\\d{2}-\\d{2}$',
          description: 'first local day; 30 days back by default',
        }),
        to: Type.String({ pattern: '^[12]\\d{3}-\\d{2}-\\d{2}$', description: 'last local day; today by default' }),
      }),
    ),
    replies: { 200: PlanHistory },
  },
);

const Outcome = Titled('WhatIfOutcome', {
  total: money('of the bill'),
  import_wh: Type.Integer(),
  export_wh: Type.Integer(),
});

export const WhatIf = Titled('WhatIf', {
  site_id: Type.String(),
  from: Timestamp,
  to: Timestamp,
  currency: Type.String(),
  actual: Outcome,
  self_consumption: Outcome,
  planned: Outcome,
  saved: money('actual.total - planned.total'),
  assumed: Type.Array(Type.String(), { description: 'one sentence each' }),
});
export type WhatIf = Static<typeof WhatIf>;

export const askWhatIf = api.post(
  '/sites/{site_id}/what-if',
  'Calculate the last year with another battery, roof or tariff',
  {
    description:
      'Replays the energy of the site. Without battery, solar and tariff: the home as it is, with plans. `self_consumption` is ' +
      'the cost with the changes and batteries that only cover the house; `planned` with the changes and plans.',
    ...read,
    readOnly: true,
    budget: 'control',
    body: Type.Object(
      optional({
        battery_wh: NumberIn(0, 1e6, 'usable capacity of the battery; 0 for none; left out: the one that is there'),
        battery_w: watts('its power; half of its capacity per hour by default'),
        solar_w: NumberIn(0, 1e6, 'peak power of the roof; 0 for none; left out: the one that is there'),
        tariff_id: Text(128, 'grid tariff; left out: the current one'),
        from: Type.String({ format: 'date-time', description: 'a year before the end by default' }),
        to: Type.String({ format: 'date-time', description: 'start of the current local day by default' }),
      }),
    ),
    replies: { 200: WhatIf },
  },
);

export const planRoutes = api.all;
