import { OneOf, optional, type Static, Type, texts } from '#contract/schema.ts';
import { fileProblem, type Interval } from './eltariff.ts';
import { type HolidayKind, holidayDates, holidayKinds } from './holidays.ts';
import { yearsOf } from './local-time.ts';

export const priceListForm = 'ohmstead-price-list-1';

const DateRange = Type.String({
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\d/(19|20|21)\\d\\d-\\d\\d-\\d\\d$',
  description: 'first day and day after the last, such as 2025-01-01/2026-01-01',
});

const Slot = Type.String({
  pattern: '^\\d\\d:\\d\\d-\\d\\d:\\d\\d( [\\w-]+)*( except( [\\w-]+)+)?$',
  description: 'times and days, such as 06:00-22:00 weekdays except holidays',
});

const ListPart = Type.Object({
  name: Type.String(),
  ...optional({
    ...texts('description', 'type', 'reference'),
    valid: DateRange,
    price: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'without and with value added tax' }),
    per: Type.String({ description: 'the period that a fixed price covers' }),
    spot: Type.Number({ description: 'multiple of the spot price' }),
    peak: Type.Object({
      function: Type.String(),
      one_per: Type.String({ description: 'only the highest peak of each such period counts' }),
      over: Type.String({ description: 'averaging time of a peak' }),
      mean_of: Type.Integer({ minimum: 1 }),
    }),
    when: Type.Record(Type.String(), Type.Array(Slot), { description: 'by the reference of the recurring period' }),
  }),
});
type ListPart = Static<typeof ListPart>;

const Group = Type.Object({
  id: Type.String(),
  ...optional(texts('name', 'description')),
  parts: Type.Record(Type.String(), Type.Unsafe<ListPart | string>({ anyOf: [{ type: 'string' }, ListPart] }), {
    description: 'by their id: the part, or the name of a shared one',
  }),
});

const ListSource = Type.Object({
  from: Type.Array(Type.String()),
  confidence: OneOf(['official', 'high', 'medium'], {
    description:
      'official: published by the operator in this form; high: published prices and rules; medium: one rule is inferred',
  }),
  ...optional({
    caveat: Type.String({ description: 'missing, inferred and doubtful facts' }),
    single_source: Type.Literal(true, { description: 'no second source confirms the prices' }),
    licence: Type.String({ description: 'the licence of the source and the credit that it asks for' }),
    url: Type.String({ description: 'address of the source' }),
  }),
});
export type ListSource = Static<typeof ListSource>;

const Zone = OneOf(['SE1', 'SE2', 'SE3', 'SE4']);
const County = Type.String({
  pattern: '^\\d\\d$',
  description: 'the code of a Swedish county, such as 01 for Stockholm',
});

/** The part of the operator's grid where a tariff is valid; everywhere by default. */
const Where = Type.Object({
  zones: Type.Array(Zone, { minItems: 1, description: 'bidding zones' }),
  counties: Type.Optional(Type.Array(County, { minItems: 1, description: 'only in these counties of the zones' })),
  except_counties: Type.Optional(Type.Array(County, { minItems: 1, description: 'not in these counties' })),
});

export type TariffArea = Omit<Static<typeof Where>, 'zones'> & { zones: readonly string[] };

const Naming = Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) });

/** Currency and time zone of the price lists of each country. */
const countries = {
  SE: { currency: 'SEK', timeZone: 'Europe/Stockholm' },
  NO: { currency: 'NOK', timeZone: 'Europe/Oslo' },
} as const;
export type Country = keyof typeof countries;

const capacityMethods = ['TRE_DØGNMAX_MND', 'MND_MAX', 'OV_TREFASE', 'FEM_VEKTET_ÅR', 'UKJENT'] as const;

/** The number of days whose highest hours are averaged, by supported method. */
export const capacityDays: ReadonlyMap<string, number> = new Map([
  ['TRE_DØGNMAX_MND', 3],
  ['MND_MAX', 1],
]);

const Capacity = Type.Object({
  method: OneOf(capacityMethods, { description: 'how the power that decides the step is found' }),
  inclusive: Type.Boolean({ description: 'whether a power equal to a threshold belongs to the step above it' }),
  per: Type.String({ description: 'the period that the prices cover' }),
  steps: Type.Array(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), {
    minItems: 1,
    description: 'lowest power in kW, price without and with value added tax',
  }),
});

/** The price list of a grid operator in our own format: without defaults, shared parts written once, holidays by name. */
export const PriceList = Type.Object({
  format: OneOf([priceListForm]),
  provider: Type.Object({
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    name: Type.String(),
    companyOrgNo: Type.String(),
    ...optional({
      ...texts('eiReportingUnit', 'website', 'tax_zone'),
      country: OneOf(['SE', 'NO'], { description: 'SE by default' }),
      vat: Type.Number({ minimum: 0, maximum: 100, description: 'percent, if it differs from that of the country' }),
    }),
  }),
  source: ListSource,
  sources: Type.Optional(
    Type.Record(Type.String(), ListSource, { description: 'other sources, by the name that tariffs refer to' }),
  ),
  calendar: Type.Record(
    Type.String(),
    Type.Unsafe<number[] | HolidayKind[]>({
      type: 'array',
      anyOf: [
        { items: { type: 'integer', minimum: 1, maximum: 7 } },
        { items: { type: 'string', enum: holidayKinds } },
      ],
      description: 'days of the week from 1, Monday; or kinds of holidays',
    }),
  ),
  groups: Type.Object({ fixed: Naming, energy: Naming, power: Naming }),
  shared: Type.Record(Type.String(), ListPart),
  tariffs: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      description: Type.Optional(Type.String()),
      product: Type.String(),
      valid: DateRange,
      updated: Type.String(),
      ...optional({
        ...texts('billed', 'direction'),
        where: Where,
        capacity: Capacity,
        source: Type.String({ description: 'name of another source' }),
        follows: Type.Array(Type.String(), {
          description: 'ids of tariffs of other products that this one replaced; several may replace one, by fuse size',
        }),
      }),
      fixed: Group,
      energy: Group,
      power: Group,
    }),
    { minItems: 1 },
  ),
});
export type PriceList = Static<typeof PriceList>;

const intervalOf = (range: string): Interval => ({ fromIncluding: range.slice(0, 10), toExcluding: range.slice(11) });

/** Converts a price list to the form of the Eltariff standard, without the defaults that `readEltariff` adds. */
export const expandPriceList = (list: PriceList) => {
  const { timeZone, currency } = countries[list.provider.country ?? 'SE'];
  return {
    tariffs: list.tariffs.map((tariff) => ({
      ...tariff,
      validPeriod: intervalOf(tariff.valid),
      timeZone,
      lastUpdated: tariff.updated,
      companyName: list.provider.name,
      companyOrgNo: list.provider.companyOrgNo,
      billingPeriod: tariff.billed,
      fixedPrice: groupOf('fixed', tariff, list, currency),
      energyPrice: groupOf('energy', tariff, list, currency),
      powerPrice: groupOf('power', tariff, list, currency),
      capacitySteps: tariff.capacity && capacityStepsOf(tariff.capacity, currency),
    })),
    calendarPatterns: patternsOf(list),
  };
};

const capacityStepsOf = ({ method, inclusive, per, steps }: Static<typeof Capacity>, currency: string) => ({
  method,
  supported: capacityDays.has(method),
  thresholdInclusive: inclusive,
  steps: steps.map(([fromKw, priceExVat, priceIncVat]) => ({
    fromKw,
    price: { priceExVat, priceIncVat, currency },
    pricedPeriod: per,
  })),
});

function groupOf(
  kind: keyof PriceList['groups'],
  tariff: PriceList['tariffs'][number],
  { groups, shared }: PriceList,
  currency: string,
) {
  const group = tariff[kind];
  const components = Object.entries(group.parts).map(([id, given]) => {
    const part = typeof given === 'string' ? shared[given] : given;
    if (part) return componentOf(id, part, tariff.valid, currency);
    const path = `file.tariffs.${kind}.parts.${id}`;
    throw fileProblem([{ path, message: `names no shared part: ${JSON.stringify(given)}` }]);
  });
  return { ...(group.name === undefined ? groups[kind] : group), id: group.id, components };
}

function componentOf(id: string, given: ListPart, valid: string, currency: string) {
  const { price, per, spot, peak, when, ...part } = given;
  return {
    ...part,
    id,
    validPeriod: intervalOf(part.valid ?? valid),
    price: price && { priceExVat: price[0], priceIncVat: price[1], currency },
    pricedPeriod: per,
    spotPriceSettings: spot === undefined ? undefined : { multiplier: spot, currency },
    peakIdentificationSettings: peak && {
      peakFunction: peak.function,
      peakIdentificationPeriod: peak.one_per,
      peakDuration: peak.over,
      numberOfPeaksForAverageCalculation: peak.mean_of,
    },
    recurringPeriods: Object.entries(when ?? {}).map(recurringPeriodOf),
  };
}

function recurringPeriodOf([reference, slots]: [string, string[]]) {
  const activePeriods = slots.map((slot) => {
    const [included = '', excluded = ''] = slot.slice(12).split(/ ?except /);
    return {
      fromIncluding: slot.slice(0, 5),
      toExcluding: slot.slice(6, 11),
      calendarPatternReferences: { include: namesIn(included), exclude: namesIn(excluded) },
    };
  });
  return { reference, activePeriods };
}

const namesIn = (text: string): string[] => text.split(' ').filter(Boolean);

/** Lists holiday dates for every year in which a tariff is valid. */
function patternsOf({ calendar, tariffs }: PriceList) {
  const years = new Set(tariffs.flatMap(({ valid }) => yearsOf(intervalOf(valid))));
  return Object.entries(calendar).map(([reference, days]) =>
    areHolidayKinds(days)
      ? {
          reference,
          dates: [...years].toSorted((one, other) => one - other).flatMap((year) => holidayDates(year, days)),
        }
      : { reference, days },
  );
}

const areHolidayKinds = (days: number[] | HolidayKind[]): days is HolidayKind[] => typeof days[0] === 'string';
