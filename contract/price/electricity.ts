import { routesOf } from '../route.ts';
import { OneOf, optional, type Static, Timestamp, Titled, type TProperties, Type, texts } from '../schema.ts';

export const resolutions = ['PT60M', 'PT15M'] as const;
export type Resolution = (typeof resolutions)[number];

const Fx = Titled('ExchangeRate', {
  rate: Type.Number({ description: 'units of the requested currency per euro' }),
  date: Type.String({ format: 'date' }),
  source: Type.String(),
});

const PricePoint = Type.Object({
  datetime: Type.String({ format: 'date-time', description: 'start of the interval' }),
  price: Type.Number({ description: 'per megawatt-hour; may be negative' }),
  provider: Type.Optional(Type.String({ description: 'present if the days come from several providers' })),
});

export const ElectricityPrices = Titled('ElectricityPrices', {
  area: Type.String({ description: 'as requested' }),
  area_name: Type.String({ description: 'the country' }),
  currency: Type.String(),
  unit: OneOf(['MWh']),
  resolution: OneOf(resolutions),
  timezone: OneOf(['UTC']),
  prices: Type.Array(PricePoint),
  metadata: Type.Object({
    ...texts('provider', 'data_source'),
    fetched_at: Timestamp,
    start_time: Timestamp,
    last_updated: Timestamp,
    total_points: Type.Integer(),
    cached: Type.Boolean({ description: 'whether the prices were already cached' }),
    ...optional({
      resolved_area: Type.String({ description: 'the area used for a country with several areas' }),
      missing_dates: Type.Array(Type.String({ format: 'date' }), {
        description: 'days not available in this resolution; before October 2025 the market had hourly prices',
      }),
      fx: Fx,
    }),
    age: Type.Integer({ description: 'seconds since last_updated' }),
  }),
});
export type ElectricityPrices = Static<typeof ElectricityPrices>;

const Areas = Titled('ElectricityAreas', {
  areas: Type.Array(
    Type.Object({
      ...texts('area', 'country'),
      code: Type.String({ description: 'EIC of the market area' }),
    }),
  ),
  count: Type.Integer(),
  metadata: Type.Object({ provider: Type.String(), fetched_at: Timestamp }),
});

/** An overview of an API with these statistics. */
export const overviewWith = <Statistics extends TProperties>(title: string, statistics: Statistics) =>
  Titled(title, {
    ...texts('name', 'version', 'description', 'compliance'),
    statistics: Type.Object(statistics),
    endpoints: Type.Array(Type.Object(texts('method', 'path', 'summary'))),
    documentation: Type.Object(texts('swagger', 'redoc')),
  });

const Overview = overviewWith('ElectricityOverview', { total_areas: Type.Integer(), last_updated: Timestamp });

// Declared as text, because the handler answers invalid values with 422.
const query = Type.Object(
  optional({
    date: Type.String({ description: 'market day, YYYY-MM-DD; by default today and tomorrow' }),
    days: Type.String({ description: 'number of days from date (or today), 1 to 31' }),
    resolution: Type.String({ description: `${resolutions.join(' or ')}; hourly prices are means of quarter-hours` }),
    currency: Type.String({
      description: 'ISO 4217 code, EUR by default; other currencies use the rate in metadata.fx',
    }),
  }),
);

/** Creates the spot price routes under a prefix; the service has two prefixes. */
export function electricityRoutesAt(prefix: `/${string}`) {
  const api = routesOf({ tag: 'Electricity prices', access: 'public' });
  return {
    getOverview: api.get(`${prefix}/`, 'Get an overview of this API', { replies: { 200: Overview } }),
    listAreas: api.get(`${prefix}/areas`, 'List the market areas', {
      description:
        'Paths also accept DK, NO and SE (the area of the capital), EIC codes, and spellings such as SE_3 or se-3.',
      replies: { 200: Areas },
      conditional: true,
    }),
    getHealth: api.get(`${prefix}/health`, 'Check that the API is available', {
      replies: { 200: Type.Object({ status: OneOf(['healthy']) }) },
    }),
    getPrices: api.get(`${prefix}/{area}`, 'Get the day-ahead prices of an area', {
      description:
        'A market day follows Brussels time and has 23, 24 or 25 hours. ' +
        'Prices for tomorrow are published at about 12:50 Brussels time (11:50 UTC in winter).',
      params: Type.Object({ area: Type.String() }),
      query,
      replies: { 200: ElectricityPrices },
      problems: ['not_found', 'unprocessable', 'unavailable'],
      conditional: true,
    }),
  };
}

export type ElectricityRoutes = ReturnType<typeof electricityRoutesAt>;
