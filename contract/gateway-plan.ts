import { maxPlanStorages } from './plan.ts';
import { IntegerIn, NumberIn, OneOf, optional, Sn, type Static, Text, Titled, Type } from './schema.ts';

// The plan that a gateway carries out by itself. The platform signs it and publishes it on `planTopic`.

/**
 * The intent of a storage in a step. charge: charges with power_w, from the sun or the grid. store: charges from surplus only. cover:
 * charges from surplus and discharges for the house. discharge: discharges with power_w, also into the grid. hold: neither.
 */
export const intentModes = ['charge', 'store', 'cover', 'discharge', 'hold'] as const;
export type IntentMode = (typeof intentModes)[number];

const watts = (description: string) => NumberIn(0, 1e7, description);

export const Intent = Type.Object({
  mode: OneOf(intentModes),
  power_w: watts('of charge and discharge; the most that the other modes may use'),
  wh: NumberIn(0, 1e9, 'planned level at the end of the step'),
});
export type Intent = Static<typeof Intent>;

const Steps = Type.Array(
  Type.Object({
    start: Type.Integer({ description: 'ms' }),
    s: IntegerIn(60, 86_400, 'length'),
    grid_w: Type.Number({ description: 'expected mean import; negative for export' }),
    intents: Type.Record(Type.String(), Intent, { description: 'by id of the storage' }),
    ...optional({
      peak_w: watts('the mean import of a window should not exceed this, because the power charge would grow'),
      solar_max_w: watts('curtails the sun to this'),
      reason: Text(300, 'for people'),
    }),
  }),
  { minItems: 1, maxItems: 400 },
);

const Storages = Type.Array(
  Type.Object({
    id: Text(64, 'id of the DER'),
    sn: Sn,
    kind: OneOf(['battery', 'car']),
    capacity_wh: watts('usable'),
    min_wh: watts('the plan keeps this'),
    max_wh: watts('the plan does not charge beyond this'),
    charge_w: watts('highest power'),
    discharge_w: watts('highest power; 0 if it cannot discharge'),
    ...optional({
      charge_min_w: watts('it charges with 0 or at least this'),
      for_car: Type.Boolean({ description: 'whether this battery may charge cars' }),
    }),
  }),
  { maxItems: maxPlanStorages },
);

export const GatewayPlan = Titled('GatewayPlan', {
  id: Text(64),
  made_at: Type.Integer({ description: 'ms' }),
  ends_at: Type.Integer({ description: 'ms; after this the devices return to automatic mode' }),
  window_s: IntegerIn(60, 86_400, 'length of the windows of peak_w, aligned to local time'),
  utc_offset_s: IntegerIn(-86_400, 86_400, 'of the local time at made_at, for the alignment of windows'),
  storages: Storages,
  steps: Steps,
  ...optional({
    fuse_a: NumberIn(1, 10_000, 'main fuse per phase'),
    import_limit_w: watts('never imports more'),
    export_limit_w: watts('never exports more'),
    solar: Type.Array(Sn, { maxItems: 16, description: 'inverters that may be curtailed' }),
  }),
});
export type GatewayPlan = Static<typeof GatewayPlan>;

export const maxPlanHours = 48;

/** Type of the JSON Web Signature of a plan, so that no other token of the platform is accepted as one. */
export const planType = 'ohmstead-plan';

/** The signed content: the serial of the gateway, and its plan, or null when the platform withdraws it. */
export const SignedPlan = Type.Object({
  iss: Text(128, 'deployment id of the platform'),
  aud: Text(64, 'serial of the gateway'),
  iat: Type.Integer({ description: 'seconds since 1970; an older one than the last is ignored' }),
  plan: Type.Unsafe<GatewayPlan | null>({ anyOf: [GatewayPlan, { type: 'null' }] }),
});
export type SignedPlan = Static<typeof SignedPlan>;

export const maxPlanBytes = 256 * 1024;

export const planStates = ['following', 'waiting', 'overridden', 'ended', 'refused'] as const;

/** How a gateway gets on with its plan, in the field `plan` of its state message. */
export const PlanProgress = Titled('PlanProgress', {
  id: Text(64),
  state: OneOf(planStates, {
    description:
      'overridden: a command of a person holds a device; waiting: for the first step, or for readings that it needs; refused: see message',
  }),
  ...optional({ message: Text(300) }),
});
export type PlanProgress = Static<typeof PlanProgress>;

/** English messages of a gateway about its plan, for pages to translate. It may send others. */
export const planMessages = {
  clock_unknown: 'The time of day is not confirmed yet.',
  held_by_person: 'Controlled or released by hand: {names}.',
  no_readings: 'No fresh readings of {names}.',
  no_meter: 'The grid meter has no fresh reading.',
  no_step: 'The plan has no step for now.',
  switched_off: 'Following plans is switched off at the gateway.',
  unknown_key: 'The gateway does not know the key that signed this plan.',
  unconfirmed:
    'Control of {names} is not confirmed. Confirm it on the Control page of the gateway, or with ohmstead device confirm.',
  uncontrollable: '{names} could not be controlled.',
} as const;

export const planMessage = (key: keyof typeof planMessages, names: readonly string[] = []): string =>
  planMessages[key].replace('{names}', () => names.join(', '));
