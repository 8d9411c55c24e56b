import type { FieldError } from '../problem.ts';
import { NumberIn, OneOf, optional, type Static, Text, Titled, Type } from '../schema.ts';

const pricings = ['spot', 'fixed'] as const;

const perKwh = (description: string) => NumberIn(-100, 100, `${description}, per kWh before VAT`);

const Export = Type.Object({
  pricing: OneOf(pricings),
  ...optional({
    adjustment_per_kwh: perKwh('added to the spot price; negative if the buyer keeps a part'),
    price_per_kwh: perKwh('the price of fixed pricing'),
  }),
});

const TaxReduction = Type.Object({
  per_kwh: NumberIn(0, 100, 'per exported kWh'),
  max_kwh_per_year: Type.Optional(NumberIn(0, 1e6)),
});

/** Prices that a household pays and receives from a day on. Amounts are in the currency of the country. */
export const ContractPeriod = Titled('ContractPeriod', {
  valid_from: Type.String({
    pattern: '^[12]\\d{3}-\\d{2}-\\d{2}$',
    examples: ['2026-01-01'],
    description: 'first day, YYYY-MM-DD; the period holds until the next one begins',
  }),
  pricing: OneOf(pricings, { description: 'spot: each interval at its own price; fixed: always fixed_price_per_kwh' }),
  ...optional({
    supplier: Text(128, 'name of the supplier, for people to read'),
    fixed_price_per_kwh: perKwh('the price of fixed pricing'),
    markup_per_kwh: perKwh("the supplier's markup on the spot or fixed price"),
    monthly_fee: NumberIn(0, 100_000, "the supplier's fee per month, before VAT"),
    vat_percent: NumberIn(0, 100, 'by default that of the country'),
    export: Export,
    export_grid_benefit_per_kwh: NumberIn(0, 100, "the grid operator's payment per exported kWh, without VAT"),
    tax_reduction: TaxReduction,
    support: OneOf(['stromstotte'], {
      description: 'Norwegian support for homes: 90 % of the hourly spot price above the threshold',
    }),
    tariff_id: Text(128, 'grid tariff; by default that of the request or the site'),
    fuse_a: Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'main fuse in ampere' }),
  }),
});
export type ContractPeriod = Static<typeof ContractPeriod>;

export const mostContractPeriods = 50;

export const ContractPeriods = Type.Array(ContractPeriod, {
  maxItems: mostContractPeriods,
  description:
    'in order of valid_from; before the first period: the spot price without markup, export at the spot price',
});

/** Finds the errors in a list of periods that a schema cannot express. */
export function contractErrors(periods: readonly ContractPeriod[], path: string): FieldError[] {
  return periods.flatMap((period, n) => {
    const at = `${path}.${n}`;
    const { valid_from: date, pricing, fixed_price_per_kwh: fixed, export: sold } = period;
    const previous = periods[n - 1]?.valid_from;
    const errors: FieldError[] = [];
    const report = (field: string, message: string) => errors.push({ path: `${at}.${field}`, message });
    if (!isDay(date)) report('valid_from', 'is not a day of the calendar');
    if (previous !== undefined && date <= previous)
      report('valid_from', 'must be later than that of the period before');
    if (pricing === 'fixed' && fixed === undefined) report('fixed_price_per_kwh', 'is required with fixed pricing');
    if (pricing === 'spot' && fixed !== undefined) report('fixed_price_per_kwh', 'is only for fixed pricing');
    if (sold?.pricing === 'fixed' && sold.price_per_kwh === undefined)
      report('export.price_per_kwh', 'is required with fixed pricing');
    if (sold?.pricing === 'spot' && sold.price_per_kwh !== undefined)
      report('export.price_per_kwh', 'is only for fixed pricing');
    if (sold?.pricing === 'fixed' && sold.adjustment_per_kwh !== undefined)
      report('export.adjustment_per_kwh', 'is only for pricing at the spot price');
    return errors;
  });
}

// 31 February would become 3 March.
const isDay = (date: string): boolean =>
  !Number.isNaN(Date.parse(date)) && new Date(Date.parse(date)).toISOString().startsWith(date);
