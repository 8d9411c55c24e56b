import { isValidOn } from '#contract/price/tariff-rules.ts';
import { Problem } from '#contract/problem.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import type { ApplicableTariff, TariffBook } from '../tariffs/tariff-book.ts';
import { priceListDate } from '../tariffs/tariff-book.ts';
import { datesOf } from './billing-period.ts';

/** A tariff with the price lists of the same product in other years. */
export type GridTariff = ReturnType<typeof findGridTariff>;

export function findGridTariff(book: TariffBook, id: string) {
  const found = book.findTariff(id);
  if (!found) throw new Problem('not_found', `Unknown tariff ${id}.`);
  const { tariff: given, provider } = found;
  if (given.direction !== 'consumption') {
    throw new Problem('unprocessable', `The tariff "${given.name}" is for production, not for consumption.`);
  }
  const all = [
    given,
    ...provider.tariffs.filter((other) => book.successor(given, other.validPeriod.fromIncluding) === other),
  ];
  const known = new Map<string, ApplicableTariff | undefined>(); // a bill looks up each day many times
  return {
    given,
    all,
    /** Returns the price list of a day; undefined before the first one. */
    on(date: string): ApplicableTariff | undefined {
      if (!known.has(date)) known.set(date, book.tariffOn(given, date));
      return known.get(date);
    },
  };
}

export function uncoveredProblem({ given }: GridTariff, [first, ...others]: readonly string[]): Problem {
  const { fromIncluding, toExcluding } = given.validPeriod;
  const known = `The prices of "${given.name}" of ${given.companyName} are known from ${fromIncluding} to ${toExcluding} (excluding)`;
  const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'day' : 'days'}`;
  return new Problem('unprocessable', `${known}, not on ${first}${more}.`);
}

/** Counts the days on which a component of a price list is charged; overlapping lists count once. */
export const countChargedDays = (tariff: GridTariff, list: Tariff, component: Component, days: Interval): number =>
  datesOf(days).filter((date) => {
    const listed = tariff.on(date)?.tariff === list && priceListDate(list.validPeriod, date);
    return listed && isValidOn(component.validPeriod, listed);
  }).length;

/** Lists the expired price lists whose prices are assumed on some of these days. */
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
        `"${name}" was valid from ${fromIncluding} to ${toExcluding} (excluding). Newer prices are not known, so these are assumed to still apply.`,
    ),
  };
}

/** Returns a key that is unique across years; price lists may reuse component ids. */
export const keyOf = (tariff: Tariff, component: Component): string => `${tariff.id} ${component.id}`;
