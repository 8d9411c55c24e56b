import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { OneOf, Timestamp } from '../text.ts';

export const resolutions = ['PT60M', 'PT15M'] as const;
export type Resolution = (typeof resolutions)[number];

const Fx = Type.Object(
  {
    rate: Type.Number({ description: 'one euro in the currency of the answer' }),
    date: Type.String({ format: 'date' }),
    source: Type.String(),
  },
  { title: 'ExchangeRate' },
);

const PricePoint = Type.Object({
  datetime: Type.String({ format: 'date-time', description: 'when the interval begins' }),
  price: Type.Number({ description: 'for a megawatt-hour; may be negative' }),
  provider: Type.Optional(Type.String({ description: 'where the days of the answer come from several' })),
});

export const ElectricityPrices = Type.Object(
  {
    area: Type.String({ description: 'as it was asked for' }),
    area_name: Type.String({ description: 'the country' }),
    currency: Type.String(),
    unit: OneOf(['MWh']),
    resolution: OneOf(resolutions),
    timezone: OneOf(['UTC']),
    prices: Type.Array(PricePoint),
    metadata: Type.Object({
      provider: Type.String(),
      data_source: Type.String(),
      fetched_at: Timestamp,
      start_time: Timestamp,
      last_updated: Timestamp,
      total_points: Type.Integer(),
      cached: Type.Boolean({ description: 'the prices had been fetched before they were asked for' }),
      resolved_area: Type.Optional(
        Type.String({ description: 'whose prices they are, for a country of several areas' }),
      ),
      missing_dates: Type.Optional(
        Type.Array(Type.String({ format: 'date' }), {
          description: 'not known in this resolution; before October 2025 the market had hours',
        }),
      ),
      fx: Type.Optional(Fx),
      age: Type.Integer({ description: 'seconds since last_updated' }),
    }),
  },
  { title: 'ElectricityPrices' },
);
export type ElectricityPrices = Static<typeof ElectricityPrices>;

const Areas = Type.Object(
  {
    areas: Type.Array(
      Type.Object({
        area: Type.String(),
        country: Type.String(),
        code: Type.String({ description: 'of the market area (EIC)' }),
      }),
    ),
    count: Type.Integer(),
    metadata: Type.Object({ provider: Type.String(), fetched_at: Timestamp }),
  },
  { title: 'ElectricityAreas' },
);

const Overview = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    description: Type.String(),
    compliance: Type.String(),
    statistics: Type.Object({ total_areas: Type.Integer(), last_updated: Timestamp }),
    endpoints: Type.Array(Type.Object({ method: Type.String(), path: Type.String(), summary: Type.String() })),
    documentation: Type.Object({ swagger: Type.String(), redoc: Type.String() }),
  },
  { title: 'ElectricityOverview' },
);

// Text, whatever it should be: what it means is found out by the handler, which answers a mistake with 422.
const query = Type.Object({
  date: Type.Optional(Type.String({ description: 'YYYY-MM-DD, a day of the market; without it today and tomorrow' })),
  days: Type.Optional(Type.String({ description: '1 to 31, how many days from date (or today) on' })),
  resolution: Type.Optional(
    Type.String({ description: `${resolutions.join(' or ')}; an hour is the mean of its quarters` }),
  ),
  currency: Type.Optional(Type.String({ description: 'ISO 4217; EUR by default, others by the rate in metadata.fx' })),
});

/** The spot prices of electricity under a prefix; the service has them under two. */
export function electricityRoutesAt(prefix: `/${string}`) {
  const shared = { method: 'GET', tag: 'Electricity prices', access: 'public' } as const;
  return {
    getOverview: route({
      ...shared,
      path: `${prefix}/`,
      summary: 'What this interface offers',
      replies: { 200: Overview },
    }),
    listAreas: route({
      ...shared,
      path: `${prefix}/areas`,
      summary: 'The market areas',
      description: 'DK, NO and SE are taken too, for the area of the capital; so are EIC codes and SE_3 or se-3.',
      replies: { 200: Areas },
      conditional: true,
    }),
    getHealth: route({
      ...shared,
      path: `${prefix}/health`,
      summary: 'The interface answers',
      replies: { 200: Type.Object({ status: OneOf(['healthy']) }) },
    }),
    getPrices: route({
      ...shared,
      path: `${prefix}/{area}`,
      summary: 'Day-ahead prices of an area',
      description:
        'A day of the market is one of Brussels, so it has 23, 24 or 25 hours. ' +
        'Tomorrow is published at about 12:50 there, which is 11:50 UTC in winter.',
      params: Type.Object({ area: Type.String() }),
      query,
      replies: { 200: ElectricityPrices },
      problems: ['not_found', 'unprocessable', 'unavailable'],
      conditional: true,
    }),
  };
}

export type ElectricityRoutes = ReturnType<typeof electricityRoutesAt>;
