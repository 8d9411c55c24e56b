import { routesOf } from '../route.ts';
import { OneOf, optional, type Static, Text, Titled, Type, texts } from '../schema.ts';
import { Day, Interval } from './interval.ts';

const Time = Type.String({ pattern: '^\\d{2}:\\d{2}:\\d{2}$', description: 'hh:mm:ss' });
const DateTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
  description: 'YYYY-MM-DDThh:mm:ss, local, without offset',
});
const Duration = Type.String({ pattern: '^P(?=.)[0-9.YMWDTHS]+$', description: 'ISO 8601 duration' });
const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'a UUID',
});

export const Price = Titled('TariffPrice', {
  priceExVat: Type.Number(),
  priceIncVat: Type.Number(),
  currency: Type.String(),
});

export const PeakIdentificationSettings = Titled('PeakIdentificationSettings', {
  peakFunction: Type.String({ description: 'for example peak(main) or max(peak(high),peak(low)/2)' }),
  peakIdentificationPeriod: Duration,
  peakDuration: Duration,
  numberOfPeaksForAverageCalculation: Type.Integer({ minimum: 1 }),
});

export const SpotPriceSettings = Type.Object({ multiplier: Type.Number(), currency: Type.String() });

const RecurringPeriod = Titled('RecurringPeriod', {
  reference: Type.String(),
  frequency: Duration,
  activePeriods: Type.Array(
    Type.Object({
      fromIncluding: Time,
      toExcluding: Time,
      calendarPatternReferences: Type.Object({
        include: Type.Array(Type.String()),
        exclude: Type.Array(Type.String()),
      }),
    }),
  ),
});
export type RecurringPeriod = Static<typeof RecurringPeriod>;

/** A component of any group; its members depend on the group. */
export const Component = Titled('PriceComponent', {
  id: Uuid,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  type: Type.String({ description: 'fixed price: public, specific; energy: fixed, spot; power: peak, dynamic' }),
  reference: Type.String(),
  validPeriod: Interval,
  price: Type.Optional(Price),
  pricedPeriod: Type.Optional(Duration),
  spotPriceSettings: Type.Optional(SpotPriceSettings),
  peakIdentificationSettings: Type.Optional(PeakIdentificationSettings),
  url: Type.Optional(Type.String({ description: 'address of dynamic prices' })),
  recurringPeriods: Type.Optional(Type.Array(RecurringPeriod)),
});
export type Component = Static<typeof Component>;

export const PriceGroup = Titled('PriceGroup', {
  id: Uuid,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  costFunction: Type.String({ description: 'for example sum(peak(c)*price(c))' }),
  unit: Type.Optional(Type.String({ description: 'kWh or kW; the fixed price has none' })),
  components: Type.Array(Component),
});
export type PriceGroup = Static<typeof PriceGroup>;

/** A fixed price that depends on peak demand in steps, as in Norway. The Eltariff standard has no such price. */
export const CapacitySteps = Titled('CapacitySteps', {
  method: Type.String({
    description:
      'how the power is found, as Fri nettleie names it: TRE_DØGNMAX_MND is the mean of the three highest daily maxima of ' +
      'the month, MND_MAX the highest hour of the month',
  }),
  supported: Type.Boolean({ description: 'whether bills can be calculated; otherwise they are refused' }),
  thresholdInclusive: Type.Boolean({
    description: 'whether a power equal to a threshold belongs to the step above it',
  }),
  steps: Type.Array(Type.Object({ fromKw: Type.Number(), price: Price, pricedPeriod: Duration }), { minItems: 1 }),
});
export type CapacitySteps = Static<typeof CapacitySteps>;

export const Tariff = Titled('Tariff', {
  id: Uuid,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  validPeriod: Interval,
  timeZone: Type.String(),
  lastUpdated: DateTime,
  ...texts('companyName', 'companyOrgNo'),
  product: Type.String({ description: 'identifies the product across years' }),
  direction: OneOf(['consumption', 'production']),
  billingPeriod: Duration,
  fixedPrice: PriceGroup,
  energyPrice: PriceGroup,
  powerPrice: PriceGroup,
  capacitySteps: Type.Optional(CapacitySteps),
});
export type Tariff = Static<typeof Tariff>;

export const CalendarPattern = Titled('CalendarPattern', {
  reference: Type.String(),
  frequency: Duration,
  days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { description: '1 is Monday' })),
  dates: Type.Optional(Type.Array(Day)),
});
export type CalendarPattern = Static<typeof CalendarPattern>;

export const TariffCollection = Type.Object({
  tariffs: Type.Array(Tariff),
  calendarPatterns: Type.Array(CalendarPattern),
});
export type TariffCollection = Static<typeof TariffCollection>;

const Info = Titled('EltariffInfo', {
  ...texts('name', 'apiVersion', 'implementationVersion'),
  lastUpdated: DateTime,
  ...texts('operator', 'timeZone'),
  source: Type.Optional(
    Type.Object({
      from: Type.Array(Type.String()),
      confidence: Type.String(),
      ...optional({
        caveat: Type.String({ description: 'missing, inferred and doubtful facts' }),
        single_source: Type.Literal(true, { description: 'no second source confirms the prices' }),
        licence: Type.String({ description: 'the licence of the source and the credit that it asks for' }),
        url: Type.String({ description: 'address of the source' }),
      }),
    }),
  ),
});

const PriceEntries = Titled('EltariffPrices', {
  priceList: Type.Object({
    componentId: Uuid,
    resolution: Duration,
    prices: Type.Array(
      Type.Object({
        timestamp: DateTime,
        priceExVat: Type.Number(),
        priceIncVat: Type.Number(),
        currency: Type.String(),
      }),
    ),
  }),
});

const api = routesOf({ tag: 'Eltariff', access: 'public', conditional: true });
const provider = Text(128, 'id of a grid operator');

export const getEltariffInfo = api.get('/eltariff/{provider}/info', 'Get the tariff information of a grid operator', {
  description: 'These paths implement the Eltariff API 0.2.0, one API per operator.',
  params: Type.Object({ provider }),
  replies: { 200: Info },
  problems: ['not_found'],
});

export const listEltariffs = api.get(
  '/eltariff/{provider}/tariffs',
  'List the tariffs of a grid operator with their calendar patterns',
  { params: Type.Object({ provider }), replies: { 200: TariffCollection }, problems: ['not_found'] },
);

export const getEltariff = api.get('/eltariff/{provider}/tariffs/{id}', 'Get a tariff of a grid operator', {
  params: Type.Object({ provider, id: Text(128) }),
  replies: { 200: Type.Object({ tariff: Tariff }) },
  problems: ['not_found'],
});

export const getEltariffPrices = api.get(
  '/eltariff/{provider}/prices/{componentId}',
  'Get the hourly prices of a component',
  {
    description:
      'Hours in which the component is not in force are left out. By default seven days from midnight; at most 400 days.',
    params: Type.Object({ provider, componentId: Text(128) }),
    query: Type.Object({
      fromIncluding: Type.Optional(Type.String({ description: 'YYYY-MM-DDThh:mm:ss, local' })),
      toExcluding: Type.Optional(Type.String({ description: 'YYYY-MM-DDThh:mm:ss, local' })),
    }),
    replies: { 200: PriceEntries },
    problems: ['not_found', 'invalid_request', 'not_implemented'],
  },
);

export const eltariffRoutes = api.all;
