import { isValidOn } from '#contract/price/tariff-rules.ts';
import { Problem } from '#contract/problem.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import type { ApplicableTariff, TariffBook } from '../tariffs/tariff-book.ts';
import { priceListDate } from '../tariffs/tariff-book.ts';
import { datesOf } from './billing-period.ts';

/** A tariff with what the same product costs in other years. */
export type GridTariff = {
  given: Tariff;
  /** the price list of this day; undefined before the first one */
  on(date: string): ApplicableTariff | undefined;
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
  const known = new Map<string, ApplicableTariff | undefined>(); // a bill asks for each of its days many times
  return {
    given,
    all,
    on(date) {
      if (!known.has(date)) known.set(date, book.tariffOn(given, date));
      return known.get(date);
    },
  };
}

/** That no price list covers these days. */
export function uncoveredProblem({ given }: GridTariff, [first, ...others]: readonly string[]): Problem {
  const { fromIncluding, toExcluding } = given.validPeriod;
  const known = `What "${given.name}" of ${given.companyName} costs is known from ${fromIncluding} to ${toExcluding} (excluding)`;
  const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'day' : 'days'}`;
  return new Problem('unprocessable', `${known}, not on ${first}${more}.`);
}

/** Counts the days on which a component of one of the lists is charged: lists that overlap do not add up. */
export const countChargedDays = (tariff: GridTariff, list: Tariff, component: Component, days: Interval): number =>
  datesOf(days).filter((date) => {
    const listed = tariff.on(date)?.tariff === list && priceListDate(list.validPeriod, date);
    return listed && isValidOn(component.validPeriod, listed);
  }).length;

/** Names the expired price lists whose prices are assumed to apply on some of these days. */
export function assumedTariffs(tariff: GridTariff | undefined, days: Interval) {
  const expired = new Set(
    tariff
      ? datesOf(days).flatMap((date) => {
          const found = tariff.on(date);
          return found?.isAssumed ? [found.tariff] : [];
        })
      : [],
  );
  if (expired.size === 0) return { metadata: {}, notes: [] };
  const lists = [...expired].map(({ id, name, validPeriod }) => ({ id, name, validPeriod }));
  return {
    metadata: { assumed: true as const, assumed_tariffs: lists },
    notes: lists.map(
      ({ name, validPeriod: { fromIncluding, toExcluding } }) =>
        `"${name}" was valid from ${fromIncluding} to ${toExcluding} (excluding). Newer prices are not known; these are assumed to apply still.`,
    ),
  };
}

/** Tells a component from those of other years, which may have the same id. */
export const keyOf = (tariff: Tariff, component: Component): string => `${tariff.id} ${component.id}`;
