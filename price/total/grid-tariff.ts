import { holds } from '#contract/price/tariff-calendar.ts';
import { Problem } from '#contract/problem.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import { common, datesOf } from './billing-period.ts';

/** A tariff with what the same product costs in other years. */
export type GridTariff = {
  given: Tariff;
  /** the tariff of this day; undefined when no price list covers it */
  on(date: string): Tariff | undefined;
  all: readonly Tariff[];
};

export function findGridTariff(book: TariffBook, id: string): GridTariff {
  const found = book.findTariff(id);
  if (!found) throw new Problem('not_found', `There is no tariff ${id}.`);
  const { tariff: given, provider } = found;
  if (given.direction !== 'consumption') {
    throw new Problem('unprocessable', `The tariff "${given.name}" is for production, not for consumption.`);
  }
  const all = [
    given,
    ...provider.tariffs.filter((other) => book.successor(given, other.validPeriod.fromIncluding) === other),
  ];
  return {
    given,
    all,
    on: (date) => (holds(given.validPeriod, date) ? given : book.successor(given, date)),
  };
}

/** That no price list covers these days. */
export function uncovered({ given }: GridTariff, [first, ...others]: readonly string[]): Problem {
  const { fromIncluding, toExcluding } = given.validPeriod;
  const known = `What "${given.name}" of ${given.companyName} costs is known from ${fromIncluding} to ${toExcluding} (excluding)`;
  const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'day' : 'days'}`;
  return new Problem('unprocessable', `${known}, not on ${first}${more}.`);
}

/** How many of these days are charged by one of the lists: those that overlap do not add up. */
export const daysCharged = (tariff: GridTariff, list: Tariff, days: Interval): number =>
  datesOf(common(days, list.validPeriod)).filter((date) => tariff.on(date) === list).length;

/** Tells a component from those of other years, which may have the same id. */
export const keyOf = (tariff: Tariff, component: Component): string => `${tariff.id} ${component.id}`;

/** Most tariffs list the energy tax among their energy prices. */
export const isTax = ({ reference, name }: Component): boolean =>
  /^tax/i.test(reference) || /skatt|\btax\b/i.test(name);
