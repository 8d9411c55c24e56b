import { TariffCollection } from '#contract/price/eltariff.ts';
import { type FieldError, fieldsProblem, type Problem } from '#contract/problem.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { type Loose, listOf, looseOf, usualCollection } from './eltariff-versions.ts';

export type {
  CalendarPattern,
  Component,
  Interval,
  PriceGroup,
  RecurringPeriod,
  Tariff,
  TariffCollection,
} from '#contract/price/eltariff.ts';

/** Where a tariff has its components. */
export type GroupName = 'fixedPrice' | 'energyPrice' | 'powerPrice';

const check = validator(TariffCollection, 'body', 'ignore');

/** A file or an answer that is not what it should be, with every place that is wrong. */
export const fileProblem = (errors: FieldError[]): Problem => fieldsProblem('unprocessable', errors);

/** What an API or a file of version 0.2.0 or 0.3.x says, as 0.2.0. */
export function readEltariff(value: unknown): TariffCollection {
  const collection = usualCollection(value);
  const errors = check(collection) ? contradictions(collection) : fieldErrors('file', check.errors ?? []);
  if (errors.length > 0) throw fileProblem(errors);
  return collection as TariffCollection;
}

/** What a schema cannot say. */
function contradictions(collection: Loose): FieldError[] {
  const errors: FieldError[] = [];
  const ids = new Set<unknown>();
  for (const [index, tariff] of listOf(collection.tariffs).map(looseOf).entries()) {
    const path = `file.tariffs.${index}`;
    if (ids.has(tariff.id)) errors.push({ path: `${path}.id`, message: 'is the id of another tariff as well' });
    ids.add(tariff.id);
    if (!isTimeZone(String(tariff.timeZone))) errors.push({ path: `${path}.timeZone`, message: 'is no time zone' });
  }
  return errors;
}
