import type { ContractPeriod } from '#contract/price/contract.ts';
import { isDay } from '../../chart/calendar.ts';
import type { SmallChange } from '../market/small-change.ts';

type Pricing = ContractPeriod['pricing'];

/** The amounts of a contract on which suppliers charge VAT. */
const taxed = ['fixed_price', 'markup', 'monthly_fee'] as const;
type TaxedField = (typeof taxed)[number];

/** A contract period as texts of a form; empty means not set. Prices per kWh are in small change, such as öre. */
export type PeriodForm = Record<
  | TaxedField
  | 'valid_from'
  | 'supplier'
  | 'vat_percent'
  | 'export_adjustment'
  | 'export_price'
  | 'grid_benefit'
  | 'tax_reduction'
  | 'tax_reduction_kwh'
  | 'tariff_id'
  | 'fuse_a',
  string
> & { pricing: Pricing; export_pricing: Pricing; hasSupport: boolean; isWithVat: boolean };

export type FormField = Exclude<keyof PeriodForm, 'pricing' | 'export_pricing' | 'hasSupport' | 'isWithVat'>;

/** The market of a site, which decides how amounts are written. */
export type FormTerms = { smallChange: SmallChange; vatPercent: number };

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

const vatFactor = ({ vat_percent }: Pick<PeriodForm, 'vat_percent'>, { vatPercent }: FormTerms): number =>
  1 + (vat_percent === '' ? vatPercent : Number(vat_percent)) / 100;

const shownDigits = 4;
const storedDigits = 6; // bills calculate in millionths

/** Returns the texts of a stored period. */
export function formOf(period: ContractPeriod, isWithVat: boolean, terms: FormTerms): PeriodForm {
  const { smallChange } = terms;
  const vat_percent = plain(period.vat_percent);
  const factor = isWithVat ? vatFactor({ vat_percent }, terms) : 1;
  const small = (amount: number | undefined, times = 1): string =>
    amount === undefined ? '' : String(rounded(amount * smallChange.perUnit * times, shownDigits));
  return {
    valid_from: period.valid_from,
    supplier: period.supplier ?? '',
    pricing: period.pricing,
    fixed_price: small(period.fixed_price_per_kwh, factor),
    markup: small(period.markup_per_kwh, factor),
    monthly_fee: period.monthly_fee === undefined ? '' : String(rounded(period.monthly_fee * factor, shownDigits)),
    vat_percent,
    export_pricing: period.export?.pricing ?? 'spot',
    export_adjustment: small(period.export?.adjustment_per_kwh),
    export_price: small(period.export?.price_per_kwh),
    grid_benefit: small(period.export_grid_benefit_per_kwh),
    tax_reduction: small(period.tax_reduction?.per_kwh),
    tax_reduction_kwh: plain(period.tax_reduction?.max_kwh_per_year),
    hasSupport: period.support !== undefined,
    tariff_id: period.tariff_id ?? '',
    fuse_a: plain(period.fuse_a),
    isWithVat,
  };
}

const plain = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** Returns the period that a form without mistakes describes, with amounts before VAT. */
export function periodOf(form: PeriodForm, terms: FormTerms): ContractPeriod {
  const { pricing, export_pricing } = form;
  const factor = form.isWithVat ? vatFactor(form, terms) : 1;
  const { perUnit } = terms.smallChange;
  const read = (text: string, divisor = 1): number | undefined =>
    text === '' ? undefined : rounded(Number(text) / divisor, storedDigits);
  const perKwh = (text: string): number | undefined => read(text, perUnit);
  const adjustment = export_pricing === 'spot' ? perKwh(form.export_adjustment) : undefined;
  const reduction = perKwh(form.tax_reduction);
  const limit = read(form.tax_reduction_kwh);
  return {
    valid_from: form.valid_from,
    pricing,
    ...given(form.supplier.trim() || undefined, (supplier) => ({ supplier })),
    ...given(pricing === 'fixed' ? read(form.fixed_price, perUnit * factor) : undefined, (fixed_price_per_kwh) => ({
      fixed_price_per_kwh,
    })),
    ...given(read(form.markup, perUnit * factor), (markup_per_kwh) => ({ markup_per_kwh })),
    ...given(read(form.monthly_fee, factor), (monthly_fee) => ({ monthly_fee })),
    ...given(read(form.vat_percent), (vat_percent) => ({ vat_percent })),
    ...(export_pricing === 'fixed' && {
      export: { pricing: export_pricing, ...given(perKwh(form.export_price), (price_per_kwh) => ({ price_per_kwh })) },
    }),
    ...(adjustment !== undefined && { export: { pricing: 'spot' as const, adjustment_per_kwh: adjustment } }),
    ...given(perKwh(form.grid_benefit), (export_grid_benefit_per_kwh) => ({ export_grid_benefit_per_kwh })),
    ...(reduction !== undefined && {
      tax_reduction: { per_kwh: reduction, ...given(limit, (max_kwh_per_year) => ({ max_kwh_per_year })) },
    }),
    ...(form.hasSupport && { support: 'stromstotte' as const }),
    ...given(form.tariff_id || undefined, (tariff_id) => ({ tariff_id })),
    ...given(read(form.fuse_a), (fuse_a) => ({ fuse_a })),
  };
}

const given = <Value, Fields extends object>(
  value: Value | undefined,
  fields: (value: Value) => Fields,
): Partial<Fields> => (value === undefined ? {} : fields(value));

/** Writes the amounts with or without VAT; the contract that they describe stays the same. */
export function withVat(form: PeriodForm, isWithVat: boolean, terms: FormTerms): PeriodForm {
  if (form.isWithVat === isWithVat) return form;
  const changed = { ...form, isWithVat };
  for (const name of taxed) if (form[name] !== '') changed[name] = otherSide(form, name, terms);
  return changed;
}

/** Returns an amount without VAT if the form has it with VAT, and the reverse. */
export function otherSide(form: PeriodForm, name: TaxedField, terms: FormTerms): string {
  const factor = vatFactor(form, terms);
  const amount = Number(form[name]);
  return String(rounded(form.isWithVat ? amount / factor : amount * factor, shownDigits));
}

export type FormMistake = 'noDate' | 'sameDate' | 'noFixedPrice' | 'noExportPrice';

/** Finds the mistakes that single fields do not show; `otherDates` are those of the other periods. */
export function mistakesOf(form: PeriodForm, otherDates: readonly string[]): Partial<Record<FormField, FormMistake>> {
  return {
    ...(!isDay(form.valid_from) && { valid_from: 'noDate' }),
    ...(otherDates.includes(form.valid_from) && { valid_from: 'sameDate' }),
    ...(form.pricing === 'fixed' && form.fixed_price === '' && { fixed_price: 'noFixedPrice' }),
    ...(form.export_pricing === 'fixed' && form.export_price === '' && { export_price: 'noExportPrice' }),
  };
}

const wireNames: Readonly<Record<string, FormField>> = {
  valid_from: 'valid_from',
  supplier: 'supplier',
  fixed_price_per_kwh: 'fixed_price',
  markup_per_kwh: 'markup',
  monthly_fee: 'monthly_fee',
  vat_percent: 'vat_percent',
  'export.adjustment_per_kwh': 'export_adjustment',
  'export.price_per_kwh': 'export_price',
  export_grid_benefit_per_kwh: 'grid_benefit',
  'tax_reduction.per_kwh': 'tax_reduction',
  'tax_reduction.max_kwh_per_year': 'tax_reduction_kwh',
  tariff_id: 'tariff_id',
  fuse_a: 'fuse_a',
};

/** Returns the field that an error of the server is about, such as `body.periods.2.markup_per_kwh`. */
export function fieldAt(path: string, index: number): FormField | undefined {
  const start = `body.periods.${index}.`;
  return path.startsWith(start) ? wireNames[path.slice(start.length)] : undefined;
}
