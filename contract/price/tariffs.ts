import { type Route, routesOf } from '../route.ts';
import { type Static, Text, Timestamp, Titled, type TProperties, Type, texts } from '../schema.ts';
import { overviewWith } from './electricity.ts';
import { Component, Price, SpotPriceSettings, Tariff } from './eltariff.ts';
import { Interval } from './interval.ts';

/** The two published variants; short has fewer fields. */
export type TariffForm = 'full' | 'short';

const LastUpdate = Type.String({
  format: 'date-time',
  description: 'time of the last tariff change; without tariffs, when the files were last read',
});

const Description = Type.String({ description: 'may be empty' });

const Successor = Type.Object(
  { id: Type.String(), name: Type.String(), validPeriod: Interval },
  { title: 'TariffSuccessor', description: 'the tariff of the same product that applies at this time' },
);

const Assumed = Type.Optional(
  Type.Literal(true, {
    description: 'the tariff has expired and its last known prices are used, because no newer ones are known',
  }),
);

const Caveat = Type.Optional(
  Type.String({ description: 'missing, inferred and doubtful facts about the prices, such as a single source' }),
);

const LookedUpTariff = {
  ...texts('id', 'name', 'product', 'company'),
  validPeriod: Interval,
  assumed: Assumed,
  caveat: Caveat,
};

const Lookup = {
  lat: Type.Number(),
  lon: Type.Number(),
  area: Type.String({ description: 'the bidding zone' }),
  tariff_provider_id: Type.String(),
  count_total: Type.Integer(),
};

const lookupOf = <More extends TProperties, MoreOfTariff extends TProperties>(more: More, ofTariff: MoreOfTariff) =>
  Type.Object({ ...Lookup, ...more, tariffs: Type.Array(Type.Object({ ...LookedUpTariff, ...ofTariff })) });

export const FullLookup = lookupOf({ last_update: LastUpdate }, { description: Description });
export type FullLookup = Static<typeof FullLookup>;
const ShortLookup = lookupOf({}, {});

const FileError = Type.Object({ file: Type.String(), message: Type.String() });

export const ProviderList = Titled('TariffProviderList', {
  ...texts('name', 'apiVersion', 'implementationVersion'),
  lastUpdated: Type.String({ description: 'time of the last tariff change, in timeZone' }),
  ...texts('operator', 'timeZone'),
  identityProviderUrl: Type.Null(),
  total_tariffs: Type.Integer(),
  total_providers: Type.Integer(),
  successful_providers: Type.Integer({ description: 'providers whose file can be read' }),
  last_aggregation: Timestamp,
  providers: Type.Array(
    Type.Object({
      ...texts('id', 'name'),
      country: Type.String({ description: 'ISO 3166 code' }),
      tariff_count: Type.Integer(),
      valid_until: Type.String({ description: 'day after the last day of validity' }),
      out_of_date: Type.Boolean({ description: 'no tariff is valid today' }),
    }),
  ),
  errors: Type.Unsafe<Static<typeof FileError>[] | null>({
    type: ['array', 'null'],
    items: FileError,
    description: 'files that cannot be read; their last valid content is used',
  }),
});

export const ProviderTariffs = Titled('ProviderTariffs', {
  ...texts('id', 'name'),
  power_tariff_count: Type.Integer(),
  status: Type.String({ description: 'active, or out_of_date when no tariff is valid today' }),
  last_update: LastUpdate,
  power_tariffs: Type.Array(
    Type.Object({
      ...texts('id', 'name'),
      description: Description,
      ...texts('product', 'companyName', 'provider'),
      validPeriod: Interval,
      assumed: Assumed,
      caveat: Caveat,
      capacitySteps: Type.Optional(Tariff.properties.capacitySteps),
    }),
  ),
});

const DetailComponent = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(Type.String()),
    priceExVat: Type.Number(),
    priceIncVat: Type.Number(),
    currency: Type.String(),
    spotPriceSettings: Type.Optional(SpotPriceSettings),
    pricedPeriod: Type.String({ description: 'a period such as P1M, kWh or kW' }),
  },
  {
    title: 'TariffDetailComponent',
    description: 'with spotPriceSettings, the price includes this multiple of the spot price of the current hour',
  },
);

const { priceExVat: _ex, priceIncVat: _inc, ...unpricedDetail } = DetailComponent.properties;

const unpricedWords =
  'components without a known price: the spot price is missing, or the operator publishes prices daily';

const DetailGroup = Type.Object({
  components: Type.Array(DetailComponent),
  unpriced: Type.Optional(
    Type.Array(Titled('UnpricedTariffDetailComponent', unpricedDetail), { description: unpricedWords }),
  ),
});

const { id, name, product, companyName, direction, timeZone, lastUpdated, validPeriod, billingPeriod } =
  Tariff.properties;

export const TariffDetail = Titled('TariffDetail', {
  tariff: Type.Object({
    id,
    name,
    description: Description,
    product,
    companyName,
    direction,
    timeZone,
    lastUpdated,
    validPeriod,
    billingPeriod,
    fixedPrice: DetailGroup,
    energyPrice: DetailGroup,
    powerPrice: DetailGroup,
    capacitySteps: Type.Optional(Tariff.properties.capacitySteps),
  }),
  caveat: Caveat,
  assumed: Assumed,
  successor: Type.Optional(Successor),
});

const { recurringPeriods: _, price: _price, ...activeComponent } = Component.properties;

export const PricesAt = Titled('TariffPricesAt', {
  ...texts('id', 'name'),
  description: Description,
  costFunction: Type.String(),
  unit: Type.String({ description: 'kWh, kW, or the periods of a fixed price' }),
  components: Type.Array(Type.Object({ ...activeComponent, description: Description, price: Price }), {
    description:
      'components in force; their prices add up. With spotPriceSettings, the price includes this multiple of the spot price of the hour',
  }),
  unpriced: Type.Optional(
    Type.Array(Titled('UnpricedComponent', { ...activeComponent, description: Description }), {
      description: unpricedWords,
    }),
  ),
  datetime: Type.String({ description: 'local time of the tariff' }),
  ...texts('tariff_id', 'price_type'),
  assumed: Assumed,
  validPeriod: Type.Optional(
    Type.Unsafe<Interval>({ ...Interval, description: 'validity of the tariff, if its prices are assumed' }),
  ),
  successor: Type.Optional(Successor),
});
export type PricesAt = Static<typeof PricesAt>;

const TariffOverview = overviewWith('TariffOverview', {
  total_tariffs: Type.Integer(),
  total_providers: Type.Integer(),
});

// Accepts text and has a default, so that an invalid or missing number gives 422 instead of 400.
const Degrees = (description: string) =>
  Type.Unsafe<number | string>({ type: ['number', 'string'], default: '', description });

export function tariffRoutesAt(prefix: `/${string}`, form: TariffForm) {
  const shared = { tag: form === 'full' ? 'Tariffs' : 'Tariffs below /services', access: 'public' } as const;
  const api = routesOf({ ...shared, conditional: true });
  const tariffId = Type.Object({ tariff_id: Text(128, 'a UUID') });
  const at = <const Group extends string>(group: Group, summary: string) =>
    api.get(`${prefix}/tariff/{tariff_id}/${group}/{datetime}`, summary, {
      description:
        'The time is local time of the tariff, optionally with an offset, or Unix seconds or milliseconds. A skipped time moves forward; a repeated time means the first.',
      params: Type.Object({ ...tariffId.properties, datetime: Type.String() }),
      replies: { 200: PricesAt },
      problems: ['not_found', 'unprocessable'],
    });
  return {
    overview: api.get(`${prefix}/`, 'Get an overview of this API', { replies: { 200: TariffOverview } }),
    health: routesOf(shared).get(`${prefix}/health`, 'Check that the API is available', {
      replies: { 200: Type.Object({ status: Type.String() }) },
    }),
    lookup: api.get(`${prefix}/lookup`, 'Find the tariffs at a position', {
      description:
        'Uses the concession areas of the grid operators, or municipalities where these are missing. Only tariffs that are valid ' +
        'at the position are listed; an operator may have others in other bidding zones.',
      query: Type.Object({ lon: Degrees('degrees east'), lat: Degrees('degrees north') }),
      replies: { 200: form === 'full' ? FullLookup : ShortLookup },
      // fields that are not in the schema are not sent
      problems: ['not_found', 'unprocessable'],
    }),
    providers: api.get(`${prefix}/providers`, 'List the grid operators with known tariffs', {
      replies: { 200: ProviderList },
    }),
    tariff: api.get(`${prefix}/tariff/{tariff_id}`, 'Get a tariff', {
      params: tariffId,
      replies: { 200: TariffDetail },
      problems: ['not_found'],
    }),
    powerPrice: at('powerPrice', 'Get the power prices in force at a time'),
    energyPrice: at('energyPrice', 'Get the energy prices in force at a time'),
    fixedPrice: at('fixedPrice', 'Get the fixed prices in force at a time'),
    provider: api.get(`${prefix}/{provider_id}`, 'List the tariffs of a grid operator', {
      params: Type.Object({ provider_id: Text(128) }),
      replies: { 200: ProviderTariffs },
      problems: ['not_found'],
    }),
  } satisfies Record<string, Route>;
}

export type TariffRoutes = ReturnType<typeof tariffRoutesAt>;

export const tariffRoutes = tariffRoutesAt('/price/tariffs', 'full');
export const servicesTariffRoutes = tariffRoutesAt('/services/price/tariffs', 'short');
