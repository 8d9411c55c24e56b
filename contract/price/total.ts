import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { Nullable, OneOf, Text, Timestamp } from '../text.ts';
import { Interval } from './eltariff.ts';

const tag = 'Total price';

export const steps = ['PT15M', 'PT60M'] as const;
export type Step = (typeof steps)[number];

const instant = (description: string) =>
  Text(40, `${description}; RFC 3339, Unix seconds or milliseconds, or YYYY-MM-DD for the start of a market day`);

/** What the price depends on beside the time. */
const terms = {
  area: Type.Optional(Text(64, 'the price area, for example SE3; or give lat and lon')),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'north, degrees' })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'east, degrees' })),
  tariff_id: Type.Optional(Text(64, 'the grid tariff; without it there are no grid fees in the price')),
  markup: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: 100,
      description: 'what the supplier adds to the spot price, for a kWh, before VAT, in the currency of the answer',
    }),
  ),
  vat: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'percent; 25 in Sweden and none elsewhere when left out' }),
  ),
};

const partKinds = ['spot', 'markup', 'grid_energy', 'energy_tax', 'vat'] as const;
export type PartKind = (typeof partKinds)[number];

const Part = Type.Object(
  {
    kind: OneOf(partKinds),
    amount: Type.Number({ description: 'in millionths exact; the parts add up to the total' }),
    source: Type.String({ description: 'who says so' }),
    rule: Type.Optional(Type.String({ description: 'what of it was applied' })),
  },
  { title: 'PricePart' },
);
export type Part = Static<typeof Part>;

const TotalInterval = Type.Object(
  { start: Timestamp, end: Timestamp, total: Type.Number(), parts: Type.Array(Part) },
  { title: 'TotalInterval' },
);
export type TotalInterval = Static<typeof TotalInterval>;

const metadata = {
  provider: Type.String({ description: 'where the spot prices are from' }),
  is_simulated: Type.Boolean({ description: 'true when a spot price is not one of a real market' }),
  resolved_area: Type.String(),
  vat_percent: Type.Number(),
  fx: Nullable(
    Type.Object({ currency: Type.String(), rate: Type.Number(), date: Type.String(), source: Type.String() }),
  ),
  assumed: Type.Optional(
    Type.Literal(true, { description: 'a price list of the tariff has expired; its last known prices were used' }),
  ),
  assumed_tariffs: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), validPeriod: Interval }), {
      description: 'the expired price lists, with the days on which they were valid',
    }),
  ),
  notes: Type.Array(Type.String(), { description: 'what to know about this answer, a sentence each' }),
};

const Metadata = Type.Object(
  {
    ...metadata,
    total_points: Type.Integer(),
    missing_points: Type.Integer({ description: 'intervals of the range whose spot price or grid fee is not known' }),
    uncovered_dates: Type.Optional(
      Type.Array(Type.String({ format: 'date' }), {
        description: 'days whose spot price is known, before the first price list of the tariff',
      }),
    ),
  },
  { title: 'TotalMetadata' },
);

const priced = { area: Type.String(), tariff_id: Nullable(Type.String()), currency: Type.String() };

export const TotalPrice = Type.Object(
  {
    ...priced,
    unit: OneOf(['kWh']),
    resolution: OneOf(steps),
    intervals: Type.Array(TotalInterval),
    metadata: Metadata,
  },
  { title: 'TotalPrice' },
);
export type TotalPrice = Static<typeof TotalPrice>;

const problems = ['not_found', 'unprocessable', 'unavailable'] as const;

export const getTotalPrice = route({
  method: 'GET',
  path: '/price/total',
  tag,
  summary: 'What a kilowatt-hour costs: spot price, markup, grid fee, energy tax and VAT',
  description:
    'In the currency of the country, for every interval whose spot price and grid fee are known. Each part tells its source ' +
    'and rule, and the parts add up to the total. Fixed fees and power charges do not depend on a single kilowatt-hour: ' +
    'POST /price/bill has them.',
  access: 'public',
  query: Type.Object({
    ...terms,
    from: Type.Optional(instant('the beginning, today when left out')),
    to: Type.Optional(
      instant('the end, as far as prices are known when left out; at most 366 days after the beginning'),
    ),
    resolution: Type.Optional(OneOf(steps, { description: 'PT60M when left out' })),
  }),
  replies: { 200: TotalPrice },
  problems,
  conditional: true,
});

const Cheapest = Type.Object(
  {
    ...priced,
    unit: OneOf(['kWh']),
    start: Timestamp,
    end: Timestamp,
    average: Type.Number({ description: 'total price of a kWh used evenly in this window' }),
    intervals: Type.Array(TotalInterval),
    metadata: Metadata,
  },
  { title: 'CheapestWindow' },
);
export type Cheapest = Static<typeof Cheapest>;

export const getCheapest = route({
  method: 'GET',
  path: '/price/cheapest',
  tag,
  summary: 'The cheapest window of some hours',
  description: 'By total price, as GET /price/total tells it for the same terms; of equal windows the earliest.',
  access: 'public',
  query: Type.Object({
    ...terms,
    hours: Type.Number({ exclusiveMinimum: 0, maximum: 168, description: 'how long; a multiple of the resolution' }),
    before: Type.Optional(
      instant('when it must be over, as far as prices are known when left out; at most 366 days after the beginning'),
    ),
    after: Type.Optional(instant('when it may begin; now when left out')),
    resolution: Type.Optional(OneOf(steps, { description: 'PT15M when left out' })),
  }),
  replies: { 200: Cheapest },
  problems,
});

const energy = Type.Number({ minimum: 0, maximum: 1e6 });

const LoadInstant = (description: string) =>
  Type.Unsafe<string | number>({ ...Text(40, description), type: ['string', 'number'] });

const LoadInterval = Type.Object({
  start: LoadInstant('RFC 3339, Unix seconds or milliseconds'),
  end: Type.Optional(LoadInstant('as long as the shortest distance of two starts when left out')),
  import_kwh: energy,
  export_kwh: Type.Optional(energy),
});
export type LoadInterval = Static<typeof LoadInterval>;

export const mostLoadIntervals = 40_000; // a year of quarter-hours and a month to spare

const lineKinds = ['spot', 'markup', 'grid_energy', 'energy_tax', 'fixed', 'power', 'export', 'vat'] as const;

const Peak = Type.Object({
  start: Timestamp,
  kw: Type.Number({ description: 'the mean power' }),
  counted_kw: Type.Optional(Type.Number({ description: 'when the tariff counts it for less or more' })),
});
export type Peak = Static<typeof Peak>;

const BillLine = Type.Object(
  {
    kind: OneOf(lineKinds),
    name: Type.String(),
    from: Type.Optional(Type.String({ description: 'first day of the billing period' })),
    to: Type.Optional(Type.String({ description: 'the day after its last' })),
    quantity: Type.Number(),
    unit: Type.String(),
    price: Type.Number({ description: 'before VAT, for one unit; the mean where it changes' }),
    share: Type.Optional(Type.Number({ description: 'how much of the billing period is billed' })),
    amount: Type.Number(),
    peaks: Type.Optional(Type.Array(Peak, { description: 'the peaks whose mean is the quantity' })),
  },
  { title: 'BillLine' },
);
export type BillLine = Static<typeof BillLine>;

export const Bill = Type.Object(
  {
    ...priced,
    total: Type.Number({ description: 'the sum of the lines' }),
    lines: Type.Array(BillLine),
    metadata: Type.Object({
      ...metadata,
      from: Timestamp,
      to: Timestamp,
      total_points: Type.Integer(),
      import_kwh: Type.Number(),
      export_kwh: Type.Number(),
    }),
  },
  { title: 'Bill' },
);
export type Bill = Static<typeof Bill>;

export const makeBill = route({
  method: 'POST',
  path: '/price/bill',
  tag,
  summary: 'The invoice of a load curve, line by line',
  description:
    'Intervals of 15, 30 or 60 minutes, in order, as JSON, or as text/csv with the columns start, end, import_kwh and export_kwh ' +
    '(end and export_kwh may be left out; a semicolon as separator goes with decimal commas). The other fields may stand in the ' +
    'query. A month or year that is billed in part is charged by its days.',
  access: 'public',
  readOnly: true,
  query: Type.Object(terms),
  body: Type.Object({
    ...terms,
    intervals: Type.Array(LoadInterval, { minItems: 1, maxItems: mostLoadIntervals }),
  }),
  replies: { 200: Bill },
  problems: [...problems, 'payload_too_large', 'unsupported_media_type'],
});

export const totalRoutes = [getTotalPrice, makeBill, getCheapest];
