import { routesOf } from '../route.ts';
import { Nullable, OneOf, optional, type Static, Text, Timestamp, Titled, Type, texts } from '../schema.ts';

const prices = routesOf({ tag: 'Older form: prices', access: 'public' });
const tariffs = routesOf({ tag: 'Older form: power tariffs', access: 'public' }, prices.all);

const LegacyPrices = Titled('LegacyPrices', {
  area: Type.String(),
  currency: OneOf(['EUR']),
  unit: OneOf(['MWh']),
  prices: Type.Array(
    Type.Object({
      start_time: Timestamp,
      end_time: Timestamp,
      price: Type.Number(),
      provider: Type.Optional(Type.String({ description: 'present if the days come from several providers' })),
    }),
  ),
  provider: Type.String(),
  last_updated: Timestamp,
});
export type LegacyPrices = Static<typeof LegacyPrices>;

const NoData = Titled('NoData', {
  ...texts('error', 'area', 'provider', 'message'),
  status: OneOf(['no_data']),
});
export type NoData = Static<typeof NoData>;

const priceQuery = Type.Object(
  optional({
    format: Type.String({ description: 'json or xml, in any case; by default the XML market document' }),
    resolution: OneOf(['PT60M', 'PT15M'], {
      description: 'PT60M by default; hourly prices are means of quarter-hours',
    }),
  }),
);

const priceFields = {
  query: priceQuery,
  replies: {
    200: Type.Unsafe<LegacyPrices>({
      ...LegacyPrices,
      description: 'with format=json; otherwise application/xml, a Publication_MarketDocument of type A44',
    }),
    404: NoData,
  },
  otherTypes: ['application/xml'],
  problems: ['not_found', 'unprocessable', 'unavailable'],
  conditional: true,
} as const;

export const getAreaPrices = prices.get(
  '/price/prices/{area}',
  'Get the prices of today, and of tomorrow once published',
  priceFields,
);

export const getProviderPrices = prices.get(
  '/price/providers/{provider}/prices/{area}',
  'Get the prices of one provider',
  priceFields,
);

export const listPriceAreas = prices.get('/price/areas', 'List the price areas', {
  replies: {
    200: Type.Object({
      supported_areas: Type.Array(
        Type.Object({ name: Type.String(), country: Type.String(), code: Type.String({ description: 'EIC' }) }),
      ),
      total_count: Type.Integer(),
    }),
  },
  conditional: true,
});

export const listPriceProviders = prices.get('/price/providers', 'List the available and the active price providers', {
  replies: {
    200: Type.Object({
      available_providers: Type.Record(Type.String(), Type.String()),
      active_providers: Type.Record(
        Type.String(),
        Type.Object({ name: Type.String(), description: Type.String(), areas_count: Type.Integer() }),
      ),
      total_available: Type.Integer(),
      total_active: Type.Integer(),
    }),
  },
});

export const listTariffProviders = tariffs.get(
  '/price/power-tariff/providers',
  'List the grid operators with a known power tariff',
  {
    replies: {
      200: Type.Object({
        supported_providers: Type.Array(Type.Object({ provider: Type.String(), provider_display_name: Type.String() })),
        total_count: Type.Integer(),
      }),
    },
    conditional: true,
  },
);

/** Present if the price list is not valid on the requested day. */
const assumed = optional({
  assumed: Type.Literal(true, {
    description: 'the price list is not valid on this day; the nearest known one was used',
  }),
  valid_from: Type.String({ format: 'date', description: 'first day of the price list' }),
  valid_to: Type.String({ format: 'date', description: 'day after the last day of the price list' }),
});

const providerRules = texts('provider', 'country', 'currency');

export const getTariffProvider = tariffs.get('/price/power-tariff/{provider}', 'Get a grid operator’s power tariffs', {
  replies: {
    200: Type.Object({
      ...providerRules,
      fuse_sizes: Type.Array(Type.String(), { description: 'all fuse sizes with a power tariff' }),
      provider_display_name: Type.String(),
      num_peaks: Type.Integer(),
      tariffs: Type.Array(
        Type.Object({ id: Type.String(), name: Type.String(), valid_from: Type.String(), valid_to: Type.String() }),
      ),
      total_count: Type.Integer(),
      ...assumed,
    }),
  },
  problems: ['not_found'],
  conditional: true,
});

const PricingRule = Titled('PricingRule', {
  description: Type.String(),
  season: Type.Object({ start_month: Type.Integer(), end_month: Type.Integer() }),
  time_range: Type.Object({ start: Type.String(), end: Type.String() }),
  days: Type.String({ description: 'such as all_days, weekdays, weekends or weekdays_non_holidays' }),
  price_per_kw: Type.Number({ description: 'with VAT' }),
  multiplier: Type.Optional(
    Type.Number({ description: 'share of a peak that counts; already included in price_per_kw' }),
  ),
});

export const getTariffRules = tariffs.get('/price/power-tariff/{provider}/rules', 'Get the pricing rules for power', {
  replies: {
    200: Type.Object({
      ...providerRules,
      fuse_sizes: Type.Array(Type.String(), { description: 'fuse sizes to which these rules apply' }),
      pricing_rules: Type.Record(Type.String(), PricingRule),
      num_peaks: Type.Integer(),
      holidays: Type.Array(Type.String()),
      note: Type.String(),
      ...assumed,
    }),
  },
  problems: ['not_found', 'unprocessable'],
  conditional: true,
});

export const calculateTariff = tariffs.get('/price/power-tariff/{provider}/calculate', 'Get the price of a kilowatt', {
  description: 'Calculated at the given time, for the given fuse size.',
  query: Type.Object({
    timestamp: Text(40, 'RFC 3339, Unix seconds or milliseconds, or local time of the grid without an offset'),
    fuse_size: Type.Optional(Text(16, 'for example 16A')),
  }),
  replies: {
    200: Type.Object({
      ...texts('provider', 'timestamp', 'currency'),
      fuse_size: Nullable(Type.String()),
      applied_rules: Type.Array(Type.Object({ rule: Type.String(), description: Type.String(), price: Type.Number() })),
      base_price_per_kw: Type.Number(),
      final_price_per_kw: Type.Number(),
      multiplier: Type.Number({ description: 'share of a peak that counts' }),
      note: Type.String(),
      ...assumed,
    }),
  },
  problems: ['not_found', 'unprocessable'],
});

export const getLegacyHealth = prices.get('/price/health', 'Check that the API is available', {
  replies: {
    200: Type.Object({
      status: OneOf(['healthy']),
      active_providers: Type.Integer(),
      providers: Type.Array(Type.String()),
    }),
  },
});

export const legacyRoutes = prices.all;
