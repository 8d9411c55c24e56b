import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Nullable, OneOf, Text, Timestamp } from '../text.ts';

const prices = { method: 'GET', tag: 'Older form: prices', access: 'public' } as const;
const tariffs = { method: 'GET', tag: 'Older form: power tariffs', access: 'public' } as const;

const LegacyPrices = Type.Object(
  {
    area: Type.String(),
    currency: OneOf(['EUR']),
    unit: OneOf(['MWh']),
    prices: Type.Array(
      Type.Object({
        start_time: Timestamp,
        end_time: Timestamp,
        price: Type.Number(),
        provider: Type.Optional(Type.String({ description: 'where the days of the answer come from several' })),
      }),
    ),
    provider: Type.String(),
    last_updated: Timestamp,
  },
  { title: 'LegacyPrices' },
);
export type LegacyPrices = Static<typeof LegacyPrices>;

const NoData = Type.Object(
  {
    error: Type.String(),
    area: Type.String(),
    provider: Type.String(),
    message: Type.String(),
    status: OneOf(['no_data']),
  },
  { title: 'NoData' },
);
export type NoData = Static<typeof NoData>;

const priceQuery = Type.Object({
  format: Type.Optional(
    Type.String({ description: 'json or xml, in capitals or not; the XML document of the market when left out' }),
  ),
  resolution: Type.Optional(
    OneOf(['PT60M', 'PT15M'], {
      description: 'of either format, PT60M when left out; an hour is the mean of its quarters',
    }),
  ),
});

const priceReplies = {
  200: Type.Unsafe<LegacyPrices>({
    ...LegacyPrices,
    description: 'with format=json; else application/xml, a Publication_MarketDocument of type A44',
  }),
  404: NoData,
};

export const getAreaPrices = route({
  ...prices,
  path: '/price/prices/{area}',
  summary: 'Prices of today, and of tomorrow when they are out',
  query: priceQuery,
  replies: priceReplies,
  otherTypes: ['application/xml'],
  problems: ['not_found', 'unprocessable', 'unavailable'],
  conditional: true,
});

export const getProviderPrices = route({
  ...prices,
  path: '/price/providers/{provider}/prices/{area}',
  summary: 'The same, as one provider tells them',
  query: priceQuery,
  replies: priceReplies,
  otherTypes: ['application/xml'],
  problems: ['not_found', 'unprocessable', 'unavailable'],
  conditional: true,
});

export const listPriceAreas = route({
  ...prices,
  path: '/price/areas',
  summary: 'The price areas',
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

export const listPriceProviders = route({
  ...prices,
  path: '/price/providers',
  summary: 'Where prices can come from, and where they do',
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

export const listTariffProviders = route({
  ...tariffs,
  path: '/price/power-tariff/providers',
  summary: 'Grid operators whose power tariff is known',
  replies: {
    200: Type.Object({
      supported_providers: Type.Array(Type.Object({ provider: Type.String(), provider_display_name: Type.String() })),
      total_count: Type.Integer(),
    }),
  },
  conditional: true,
});

/** Present when the price list is not valid on the day asked for. */
const assumed = {
  assumed: Type.Optional(
    Type.Literal(true, { description: 'the price list is not valid on this day; the nearest known one was used' }),
  ),
  valid_from: Type.Optional(Type.String({ format: 'date', description: 'first day of that price list' })),
  valid_to: Type.Optional(Type.String({ format: 'date', description: 'the day after its last' })),
};

const providerRules = { provider: Type.String(), country: Type.String(), currency: Type.String() };

export const getTariffProvider = route({
  ...tariffs,
  path: '/price/power-tariff/{provider}',
  summary: 'A grid operator and its power tariffs',
  replies: {
    200: Type.Object({
      ...providerRules,
      fuse_sizes: Type.Array(Type.String(), { description: 'all that it has a power tariff for' }),
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

const PricingRule = Type.Object(
  {
    description: Type.String(),
    season: Type.Object({ start_month: Type.Integer(), end_month: Type.Integer() }),
    time_range: Type.Object({ start: Type.String(), end: Type.String() }),
    days: Type.String({ description: 'such as all_days, weekdays, weekends or weekdays_non_holidays' }),
    price_per_kw: Type.Number({ description: 'with VAT' }),
    multiplier: Type.Optional(Type.Number({ description: 'how much of a peak counts; price_per_kw has it already' })),
  },
  { title: 'PricingRule' },
);

export const getTariffRules = route({
  ...tariffs,
  path: '/price/power-tariff/{provider}/rules',
  summary: 'When power costs how much',
  replies: {
    200: Type.Object({
      ...providerRules,
      fuse_sizes: Type.Array(Type.String(), { description: 'those that pay by these rules' }),
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

export const calculateTariff = route({
  ...tariffs,
  path: '/price/power-tariff/{provider}/calculate',
  summary: 'What a kilowatt costs at a time',
  query: Type.Object({
    timestamp: Text(40, 'RFC 3339, or local time of the grid without an offset'),
    fuse_size: Type.Optional(Text(16, 'for example 16A')),
  }),
  replies: {
    200: Type.Object({
      provider: Type.String(),
      timestamp: Type.String(),
      currency: Type.String(),
      fuse_size: Nullable(Type.String()),
      applied_rules: Type.Array(Type.Object({ rule: Type.String(), description: Type.String(), price: Type.Number() })),
      base_price_per_kw: Type.Number(),
      final_price_per_kw: Type.Number(),
      multiplier: Type.Number({ description: 'how much of a peak counts' }),
      note: Type.String(),
      ...assumed,
    }),
  },
  problems: ['not_found', 'unprocessable'],
});

export const getLegacyHealth = route({
  ...prices,
  path: '/price/health',
  summary: 'The interface answers',
  replies: {
    200: Type.Object({
      status: OneOf(['healthy']),
      active_providers: Type.Integer(),
      providers: Type.Array(Type.String()),
    }),
  },
});

export const legacyRoutes = [
  getAreaPrices,
  getProviderPrices,
  listPriceAreas,
  listPriceProviders,
  listTariffProviders,
  getTariffProvider,
  getTariffRules,
  calculateTariff,
  getLegacyHealth,
];
