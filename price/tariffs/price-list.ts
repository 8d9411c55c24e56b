import type { Static } from 'typebox';
import { Type } from '#contract/schema.ts';
import { OneOf } from '#contract/text.ts';
import { holidayKinds } from './swedish-holidays.ts';

/** What files of this form call themselves. */
export const priceListForm = 'ohmstead-price-list-1';

const Span = Type.String({
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\d/(19|20|21)\\d\\d-\\d\\d-\\d\\d$',
  description: 'first day and day after the last, such as 2025-01-01/2026-01-01',
});

/** Such as 06:00-22:00 weekdays weekends except holidays. */
const Slot = Type.String({
  pattern: '^\\d\\d:\\d\\d-\\d\\d:\\d\\d( [\\w-]+)*( except( [\\w-]+)+)?$',
  description: 'times and days, such as 06:00-22:00 weekdays except holidays',
});

const ListPart = Type.Object({
  name: Type.String(),
  description: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  reference: Type.Optional(Type.String()),
  valid: Type.Optional(Span),
  price: Type.Optional(
    Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'without and with value added tax' }),
  ),
  per: Type.Optional(Type.String({ description: 'the period that a fixed price is for' })),
  spot: Type.Optional(Type.Number({ description: 'how many times the spot price' })),
  peak: Type.Optional(
    Type.Object({
      function: Type.String(),
      one_per: Type.String({ description: 'only the highest of each such period counts' }),
      over: Type.String({ description: 'how long a peak is averaged' }),
      mean_of: Type.Integer({ minimum: 1 }),
    }),
  ),
  when: Type.Optional(
    Type.Record(Type.String(), Type.Array(Slot), { description: 'by the reference of the recurring period' }),
  ),
});
export type ListPart = Static<typeof ListPart>;

const Group = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  parts: Type.Record(Type.String(), Type.Unsafe<ListPart | string>({ anyOf: [{ type: 'string' }, ListPart] }), {
    description: 'by their id: the part, or the name of a shared one',
  }),
});
export type Group = Static<typeof Group>;

/** Where the prices come from and how far they can be trusted. */
const Source = Type.Object({
  from: Type.Array(Type.String()),
  confidence: OneOf(['official', 'high', 'medium'], {
    description: 'the own publication of the operator; published prices and rules; one rule inferred',
  }),
  caveat: Type.Optional(Type.String()),
});
export type Source = Static<typeof Source>;

const Zone = OneOf(['SE1', 'SE2', 'SE3', 'SE4']);
const County = Type.String({
  pattern: '^\\d\\d$',
  description: 'the code of a Swedish county, such as 01 for Stockholm',
});

/** Where a tariff is valid; everywhere in the grid of the operator when left out. */
const Where = Type.Object({
  zones: Type.Array(Zone, { minItems: 1, description: 'bidding zones' }),
  counties: Type.Optional(Type.Array(County, { minItems: 1, description: 'only in these counties of the zones' })),
  except_counties: Type.Optional(Type.Array(County, { minItems: 1, description: 'not in these counties' })),
});

const Naming = Type.Object({ name: Type.String(), description: Type.Optional(Type.String()) });

/**
 * The price list of one grid operator as we write it: what is usual is left out, what tariffs share stands once, and
 * holidays are named rather than listed.
 */
export const PriceList = Type.Object({
  format: OneOf([priceListForm]),
  provider: Type.Object({
    id: Type.String({ pattern: '^[a-z0-9_]+$' }),
    name: Type.String(),
    companyOrgNo: Type.String(),
    eiReportingUnit: Type.Optional(Type.String()),
    website: Type.Optional(Type.String()),
  }),
  source: Source,
  calendar: Type.Record(
    Type.String(),
    Type.Unsafe<number[] | string[]>({
      type: 'array',
      anyOf: [
        { items: { type: 'integer', minimum: 1, maximum: 7 } },
        { items: { type: 'string', enum: holidayKinds } },
      ],
      description: 'days of the week from 1, Monday; or kinds of Swedish holidays',
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
      valid: Span,
      updated: Type.String(),
      billed: Type.Optional(Type.String()),
      where: Type.Optional(Where),
      fixed: Group,
      energy: Group,
      power: Group,
    }),
    { minItems: 1 },
  ),
});
export type PriceList = Static<typeof PriceList>;
