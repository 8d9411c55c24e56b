import { routesOf } from '../route.ts';
import { Nullable, NumberIn, OneOf, optional, type Static, Text, Timestamp, Titled, Type, texts } from '../schema.ts';
import { ContractPeriods } from './contract.ts';
import { Interval } from './interval.ts';

export const priceTags = { tag: 'Total price', access: 'public' } as const;
const api = routesOf(priceTags);

export const steps = ['PT15M', 'PT60M'] as const;
export type Step = (typeof steps)[number];

const instant = (description: string) =>
  Text(40, `${description}; RFC 3339, Unix seconds or milliseconds, or YYYY-MM-DD for the start of a market day`);

export const priceTerms = optional({
  area: Text(64, 'price area, for example SE3; or use lat and lon'),
  lat: NumberIn(-90, 90, 'latitude in degrees'),
  lon: NumberIn(-180, 180, 'longitude in degrees'),
  tariff_id: Text(64, 'grid tariff; without it the price excludes grid fees'),
  markup: NumberIn(
    -100,
    100,
    "the supplier's markup on the spot price, per kWh before VAT, in the currency of the answer",
  ),
  vat: NumberIn(0, 100, 'percent; by default that of the country, if it is known'),
  fuse_a: NumberIn(1, 10_000, 'main fuse in ampere; decides when several tariffs replaced the given one'),
});

const partKinds = ['spot', 'markup', 'grid_energy', 'energy_tax', 'vat'] as const;
export type PartKind = (typeof partKinds)[number];

const Part = Titled('PricePart', {
  kind: OneOf(partKinds),
  amount: Type.Number({ description: 'exact to a millionth; the parts add up to the total' }),
  source: Type.String({ description: 'origin of the amount' }),
  rule: Type.Optional(Type.String({ description: 'the rule that was applied' })),
});
export type Part = Static<typeof Part>;

const TotalInterval = Titled('TotalInterval', {
  start: Timestamp,
  end: Timestamp,
  total: Type.Number(),
  parts: Type.Array(Part),
});
export type TotalInterval = Static<typeof TotalInterval>;

const metadata = {
  provider: Type.String({ description: 'source of the spot prices' }),
  is_simulated: Type.Boolean({ description: 'whether any spot price is simulated' }),
  resolved_area: Type.String(),
  vat_percent: Type.Number(),
  fx: Nullable(
    Type.Object({ currency: Type.String(), rate: Type.Number(), date: Type.String(), source: Type.String() }),
  ),
  ...optional({
    assumed: Type.Literal(true, {
      description:
        'set if a price list of the tariff has expired and its last known prices were used, or if several tariffs replaced it and one was chosen',
    }),
    assumed_tariffs: Type.Array(Type.Object({ ...texts('id', 'name'), validPeriod: Interval }), {
      description: 'the expired price lists with their validity',
    }),
  }),
  notes: Type.Array(Type.String(), { description: 'remarks about this answer, one sentence each' }),
};

const Metadata = Titled('TotalMetadata', {
  ...metadata,
  total_points: Type.Integer(),
  missing_points: Type.Integer({ description: 'intervals without a known spot price or grid fee' }),
  uncovered_dates: Type.Optional(
    Type.Array(Type.String({ format: 'date' }), {
      description: 'days with a spot price but before the first price list of the tariff',
    }),
  ),
});

export const priced = { area: Type.String(), tariff_id: Nullable(Type.String()), currency: Type.String() };

export const TotalPrice = Titled('TotalPrice', {
  ...priced,
  unit: OneOf(['kWh']),
  resolution: OneOf(steps),
  intervals: Type.Array(TotalInterval),
  metadata: Metadata,
});
export type TotalPrice = Static<typeof TotalPrice>;

export const priceProblems = ['not_found', 'unprocessable', 'unavailable'] as const;

export const getTotalPrice = api.get('/price/total', 'Get the total price per kilowatt-hour', {
  description:
    'The sum of spot price, markup, grid fee, energy tax and VAT, in the currency of the country, for every interval with a known spot price and grid fee. Each part has its source ' +
    'and rule, and the parts add up to the total. Fixed fees and power charges do not depend on a single kilowatt-hour; ' +
    'POST /price/bill includes them.',
  query: Type.Object({
    ...priceTerms,
    ...optional({
      from: instant('start of the range; today by default'),
      to: instant('end of the range, at most 366 days after the start; by default as far as prices are known'),
      resolution: OneOf(steps, { description: 'PT60M by default' }),
    }),
  }),
  replies: { 200: TotalPrice },
  problems: priceProblems,
  conditional: true,
});

const Cheapest = Titled('CheapestWindow', {
  ...priced,
  unit: OneOf(['kWh']),
  start: Timestamp,
  end: Timestamp,
  average: Type.Number({ description: 'mean total price of the window, per kWh' }),
  intervals: Type.Array(TotalInterval),
  metadata: Metadata,
});
export type Cheapest = Static<typeof Cheapest>;

export const getCheapest = api.get('/price/cheapest', 'Find the cheapest time window of a given length', {
  description: 'Compares the total price of GET /price/total; of equal windows the earliest is returned.',
  query: Type.Object({
    ...priceTerms,
    hours: Type.Number({
      exclusiveMinimum: 0,
      maximum: 168,
      description: 'length of the window, a multiple of the resolution',
    }),
    ...optional({
      before: instant('latest end, at most 366 days after the start; by default as far as prices are known'),
      after: instant('earliest start; now by default'),
      resolution: OneOf(steps, { description: 'PT15M by default' }),
    }),
  }),
  replies: { 200: Cheapest },
  problems: priceProblems,
});

const energy = NumberIn(0, 1e6);

export const LoadInstant = (description: string) =>
  Type.Unsafe<string | number>({ ...Text(40, description), type: ['string', 'number'] });

const LoadInterval = Type.Object({
  start: LoadInstant('RFC 3339, Unix seconds or milliseconds'),
  end: Type.Optional(LoadInstant('by default the shortest distance of two starts after the start')),
  import_kwh: energy,
  export_kwh: Type.Optional(energy),
});
export type LoadInterval = Static<typeof LoadInterval>;

export const mostLoadIntervals = 40_000; // a year of quarter-hours and about a month more

const lineKinds = [
  'spot',
  'energy',
  'markup',
  'fee',
  'grid_energy',
  'energy_tax',
  'fixed',
  'power',
  'support',
  'vat',
  'export',
  'compensation',
  'tax_reduction',
] as const;

export const Peak = Type.Object({
  start: Timestamp,
  kw: Type.Number({ description: 'mean power' }),
  counted_kw: Type.Optional(Type.Number({ description: 'present if the tariff counts it for less or more' })),
});
export type Peak = Static<typeof Peak>;

const BillLine = Titled('BillLine', {
  kind: OneOf(lineKinds, {
    description:
      "energy: at a fixed price; fee: the supplier's monthly fee; fixed: the grid's; support: of the state; " +
      "compensation: the grid's payment for exported energy",
  }),
  name: Type.String(),
  from: Type.Optional(Type.String({ description: 'first day of the billing period or of the contract' })),
  to: Type.Optional(Type.String({ description: 'day after the billing period or the contract' })),
  quantity: Type.Number(),
  unit: Type.String(),
  price: Type.Number({ description: 'per unit before VAT; the mean if it changes' }),
  share: Type.Optional(Type.Number({ description: 'billed share of the billing period' })),
  amount: Type.Number(),
  peaks: Type.Optional(
    Type.Array(Peak, {
      description:
        'for a price per kW the quantity is the mean of these peaks; for a capacity step their mean decides the step',
    }),
  ),
});
export type BillLine = Static<typeof BillLine>;

const NextPeak = Type.Object(
  {
    above_kw: Type.Number({ description: 'mean power that counts fully, from which on the power charge increases' }),
    cost_per_kw: Type.Number({ description: 'with VAT, for a whole billing period' }),
  },
  {
    title: 'NextPeak',
    description:
      'with power charges: the cost of a higher peak after the last interval; null when its billing period is over, and for charges by steps',
  },
);
export type NextPeak = Static<typeof NextPeak>;

export const Bill = Titled('Bill', {
  ...priced,
  total: Type.Number({ description: 'the sum of the lines' }),
  lines: Type.Array(BillLine),
  next_peak: Type.Optional(Nullable(NextPeak)),
  metadata: Type.Object({
    ...metadata,
    from: Timestamp,
    to: Timestamp,
    assumed_prices: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'start of the first interval whose spot price is assumed (assume_unknown_prices)',
      }),
    ),
    total_points: Type.Integer(),
    import_kwh: Type.Number(),
    export_kwh: Type.Number(),
  }),
});
export type Bill = Static<typeof Bill>;

export const makeBill = api.post('/price/bill', 'Calculate the bill of a load curve', {
  description:
    'Accepts intervals of 15, 30 or 60 minutes, in order, as JSON or as text/csv with the columns start, end, import_kwh and export_kwh ' +
    '(end and export_kwh are optional; a semicolon separator implies decimal commas). Other fields may be in the ' +
    'query. A partly billed month or year is charged by days. Contracts (only in JSON) replace the markup, and may change within the range.',
  readOnly: true,
  query: Type.Object(priceTerms),
  body: Type.Object({
    ...priceTerms,
    ...optional({
      contracts: ContractPeriods,
      timezone: Text(64, 'IANA name, for the days of contracts and fees; by default that of the tariff or the market'),
      assume_unknown_prices: Type.Boolean({
        description:
          'whether intervals without a published spot price get the mean of the same quarter-hour of the last 14 known days',
      }),
    }),
    intervals: Type.Array(LoadInterval, { minItems: 1, maxItems: mostLoadIntervals }),
  }),
  replies: { 200: Bill },
  problems: [...priceProblems, 'payload_too_large', 'unsupported_media_type'],
});

export const totalRoutes = [getTotalPrice, makeBill, getCheapest];
